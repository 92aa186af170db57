import { INCIDENT_RULES, UNSEEN_SECONDS, type IncidentKind, type MeasuredSignal } from './incident-rules.ts';

/** The key of what an incident is about, in its store: an incident is open at most once for each. */
export interface IncidentSubject {
  /** NO_STORE for the whole server. */
  readonly storeId: string;
  readonly kind: IncidentKind;
  readonly subject: string;
}

/** Something that may be an incident, as it is now. */
export interface Signal extends IncidentSubject, MeasuredSignal {
  /** Name that people use. */
  readonly name: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly since: string;
  readonly impact: number;
  readonly cause: string;
}

export interface OpenIncident extends IncidentSubject {
  readonly id: string;
  readonly impact: number;
  /** Seconds since a node saw it. */
  readonly unseenSeconds: number;
}

/** The signals of a kind. When it is not complete, there are more: what is not among them may be there. */
export interface Sighting {
  readonly kind: IncidentKind;
  readonly signals: readonly Signal[];
  readonly isComplete: boolean;
}

export interface Judgement {
  readonly begin: readonly Signal[];
  /** Continuing incidents that are worse now, or that only nodes see. */
  readonly see: readonly { readonly incident: OpenIncident; readonly impact: number }[];
  readonly end: readonly OpenIncident[];
}

const keyOf = ({ storeId, kind, subject }: IncidentSubject): string => `${storeId} ${kind} ${subject}`;

/**
 * Compares what is open with what is there now, by the rules. A kind that is not among the sightings
 * was not looked for: nothing of it ends, unless nodes are its only witnesses and none has seen it.
 */
export const judgeIncidents = (open: readonly OpenIncident[], sightings: readonly Sighting[]): Judgement => {
  const signals = new Map(sightings.flatMap((sighting) => sighting.signals).map((signal) => [keyOf(signal), signal]));
  const complete = new Set(sightings.filter(({ isComplete }) => isComplete).map(({ kind }) => kind));
  const opened = new Set(open.map(keyOf));
  const see: Judgement['see'][number][] = [];
  const end: OpenIncident[] = [];
  for (const incident of open) {
    const signal = signals.get(keyOf(incident));
    const { isNodeObserved, continues } = INCIDENT_RULES[incident.kind];
    if (signal && continues(signal)) {
      const impact = Math.max(signal.impact, incident.impact);
      if (isNodeObserved || impact > incident.impact) see.push({ incident, impact });
    } else if (isNodeObserved ? incident.unseenSeconds >= UNSEEN_SECONDS : signal !== undefined || complete.has(incident.kind)) {
      end.push(incident);
    }
  }
  const begin = [...signals.values()].filter(
    (signal) => !opened.has(keyOf(signal)) && INCIDENT_RULES[signal.kind].begins(signal),
  );
  return { begin, see, end };
};
