import type { NoticeChannel } from '../../domain/insight/notice-rules.ts';
import { judgeIncidents, type Sighting, type Signal } from '../../domain/insight/incidents.ts';
import type { PastIncident } from '../../domain/ports/insight/incidents.ts';
import type { Ports } from '../../domain/ports/index.ts';

/** More incidents of one kind than a person reads. None of a kind ends while it has more. */
const MAX_SIGNALS = 1_000;

/** An incident that was over before the node could record it. */
export interface Outage {
  readonly signal: Signal;
  /** ISO 8601 in UTC with milliseconds. */
  readonly endedAt: string;
}

/** What this node alone can see. */
export interface IncidentWitness {
  sightings(): readonly Sighting[];
  outages(): readonly Outage[];
  /** It is recorded. */
  forget(outage: Outage): void;
}

const recordOutages = async (
  { incidents, ids }: Pick<Ports, 'incidents' | 'ids'>,
  witness: IncidentWitness,
  channels: readonly NoticeChannel[],
): Promise<void> => {
  for (const outage of witness.outages()) {
    const { signal, endedAt } = outage;
    const past: PastIncident = { ...signal, id: ids.next(), endedAt };
    await incidents.record(past, channels);
    witness.forget(outage);
  }
};

/** Begins and ends incidents by what the rows and this node show now, and notes what is to be reported. Any number of nodes may do it at once. */
export const sweepIncidents =
  (
    { incidents, incidentSignals, ids }: Pick<Ports, 'incidents' | 'incidentSignals' | 'ids'>,
    witness: IncidentWitness,
    channels: readonly NoticeChannel[] = [],
  ) =>
  async (): Promise<void> => {
    await recordOutages({ incidents, ids }, witness, channels);
    const open = await incidents.open();
    const { begin, see, end } = judgeIncidents(open, [...(await incidentSignals.read(MAX_SIGNALS)), ...witness.sightings()]);
    await incidents.end(end);
    await incidents.see(see.map(({ incident: { storeId, id }, impact }) => ({ storeId, id, impact })));
    await incidents.begin(
      begin.map((signal) => ({ ...signal, id: ids.next() })),
      channels,
    );
  };
