import { INCIDENT_RULES } from '../../../src/domain/insight/incident-rules.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Incident, Incidents, NewIncident } from '../../../src/domain/ports/insight/incidents.ts';
import { NO_STORE } from '../../../src/domain/ports/locator.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { storesOf } from '../identity/identity-tables.ts';
import { table, type MemoryState } from '../state.ts';
import { note, noteEnd } from './notice-tables.ts';

export interface IncidentRow extends Omit<NewIncident, 'since'> {
  readonly beganAt: number;
  readonly endedAt: number | null;
  readonly seenAt: number;
}

const DAY_MS = 86_400_000;

/** By `storeId/id`. */
export const incidentRowsOf = (state: MemoryState): Map<string, IncidentRow> => table<IncidentRow>(state, 'incidents');

export const shownIncident = (state: MemoryState, { seenAt: _, beganAt, endedAt, storeId, ...row }: IncidentRow): Incident => ({
  ...row,
  storeId: storeId === NO_STORE ? null : storeId,
  store: storesOf(state).get(storeId)?.domain ?? null,
  beganAt: isoTime(beganAt),
  endedAt: endedAt === null ? null : isoTime(endedAt),
});

const newestFirst = (a: { beganAt: number; id: string }, b: { beganAt: number; id: string }): number =>
  b.beganAt - a.beganAt || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);

export const incidents = (state: MemoryState, clock: Clock): Incidents => {
  const all = (): IncidentRow[] => [...incidentRowsOf(state).values()];
  const put = (row: IncidentRow): void => void incidentRowsOf(state).set(`${row.storeId}/${row.id}`, row);
  const isSame = (one: NewIncident, other: IncidentRow): boolean =>
    one.storeId === other.storeId && one.kind === other.kind && one.subject === other.subject;
  return {
    open: async () =>
      all()
        .filter(({ endedAt }) => endedAt === null)
        .map(({ id, storeId, kind, subject, impact, seenAt }) => {
          return { id, storeId, kind, subject, impact, unseenSeconds: (clock.now() - seenAt) / 1000 };
        }),
    begin: async (begun, channels = []) => {
      for (const { since, ...one } of begun) {
        const isThere = one.storeId === NO_STORE || storesOf(state).has(one.storeId);
        if (!isThere || all().some((row) => row.endedAt === null && isSame({ ...one, since }, row))) continue;
        put({ ...one, beganAt: Math.min(Date.parse(since), clock.now()), endedAt: null, seenAt: clock.now() });
        for (const channel of channels) note(state, clock, { storeId: one.storeId, incidentId: one.id, phase: 'begin', channel });
      }
    },
    see: async (seen) => {
      for (const { id, storeId, impact } of seen) {
        const row = incidentRowsOf(state).get(`${storeId}/${id}`);
        if (row?.endedAt !== null) continue;
        put({ ...row, impact: Math.max(row.impact, impact), seenAt: clock.now() });
      }
    },
    end: async (keys) => {
      for (const { id, storeId } of keys) {
        const row = incidentRowsOf(state).get(`${storeId}/${id}`);
        if (row?.endedAt !== null) continue;
        noteEnd(state, clock, { storeId, id });
        put({ ...row, endedAt: INCIDENT_RULES[row.kind].isNodeObserved ? row.seenAt : clock.now() });
      }
    },
    record: async ({ since, endedAt, ...past }, channels = []) => {
      const [from, to] = [Date.parse(since), Date.parse(endedAt)];
      const isRecorded = all().some(
        (row) => row.storeId === past.storeId && row.kind === past.kind && row.beganAt <= to && (row.endedAt ?? Infinity) >= from,
      );
      if (isRecorded) return false;
      put({ ...past, beganAt: from, endedAt: to, seenAt: to });
      for (const channel of channels) note(state, clock, { storeId: past.storeId, incidentId: past.id, phase: 'end', channel });
      return true;
    },
    list: async (storeId, { status }, { after, take }) => {
      if (storeId !== null && storeId !== NO_STORE && !storesOf(state).has(storeId)) return null;
      return all()
        .filter((row) => storeId === null || row.storeId === storeId)
        .filter(({ endedAt }) => status === undefined || (endedAt === null) === (status === 'open'))
        .filter((row) => after === null || newestFirst({ beganAt: after.at, id: after.id }, row) < 0)
        .sort(newestFirst)
        .slice(0, take)
        .map((row) => shownIncident(state, row));
    },
    purge: async (days, limit) => {
      const old = all()
        .filter(({ endedAt }) => endedAt !== null && endedAt < clock.now() - days * DAY_MS)
        .slice(0, limit);
      for (const { storeId, id } of old) incidentRowsOf(state).delete(`${storeId}/${id}`);
      return old.length;
    },
  };
};
