import type { NoticeChannel } from '../../domain/insight/notice-rules.ts';
import { judgeIncidents, type Sighting, type Signal } from '../../domain/insight/incidents.ts';
import { INCIDENT_CAUSES } from '../../domain/insight/incident-causes.ts';
import { workState, type WorkState } from '../../domain/insight/processes.ts';
import type { PastIncident } from '../../domain/ports/insight/incidents.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { NO_STORE } from '../../domain/ports/locator.ts';
import { isoTime } from '../../domain/time.ts';

/** More incidents of one kind than a person reads. None of a kind ends while it has more. */
const MAX_SIGNALS = 1_000;

/** An incident that was over before the node could record it. */
export interface Outage {
  readonly signal: Signal;
  /** ISO 8601 in UTC with milliseconds. */
  readonly endedAt: string;
}

/** Observations that only this node can make. */
export interface IncidentObservations {
  sightings(): readonly Sighting[];
  outages(): readonly Outage[];
  /** Drops an outage that is already recorded. */
  forget(outage: Outage): void;
}

const recordOutages = async (
  { incidents, ids }: Pick<Ports, 'incidents' | 'ids'>,
  observations: IncidentObservations,
  channels: readonly NoticeChannel[],
): Promise<void> => {
  for (const outage of observations.outages()) {
    const { signal, endedAt } = outage;
    const past: PastIncident = { ...signal, id: ids.next(), endedAt };
    await incidents.record(past, channels);
    observations.forget(outage);
  }
};

/** Judges the background work by what the processes report. */
const workSighting = ({ secondsWithout, lateTasks }: WorkState, now: number): Sighting => {
  const kind = 'work_stopped';
  const signal = (task: string | null, seconds: number): Signal => ({
    storeId: NO_STORE,
    kind,
    subject: task ?? '',
    name: task ?? 'Workers',
    since: isoTime(now - seconds * 1000),
    value: seconds,
    before: 0,
    impact: Math.floor(seconds),
    cause: INCIDENT_CAUSES.work_stopped(task),
  });
  const signals = [
    ...(secondsWithout === null ? [] : [signal(null, secondsWithout)]),
    ...lateTasks.map(({ name, seconds }) => signal(name, seconds)),
  ];
  return { kind, signals, isComplete: true };
};

/** Begins and ends incidents by what the rows and this node show now, and notes what is to be reported. Any number of nodes may do it at once. */
export const sweepIncidents =
  (
    {
      incidents,
      incidentSignals,
      processes,
      clock,
      ids,
    }: Pick<Ports, 'incidents' | 'incidentSignals' | 'processes' | 'clock' | 'ids'>,
    observations: IncidentObservations,
    channels: readonly NoticeChannel[] = [],
  ) =>
  async (): Promise<void> => {
    await recordOutages({ incidents, ids }, observations, channels);
    const open = await incidents.open();
    const work = workSighting(workState(await processes.list()), clock.now());
    const sightings = [...(await incidentSignals.read(MAX_SIGNALS)), work, ...observations.sightings()];
    const { begin, see, end } = judgeIncidents(open, sightings);
    await incidents.end(end);
    await incidents.see(see.map(({ incident: { storeId, id }, impact }) => ({ storeId, id, impact })));
    await incidents.begin(
      begin.map((signal) => ({ ...signal, id: ids.next() })),
      channels,
    );
  };
