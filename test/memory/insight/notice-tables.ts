import { GATHER_SECONDS, type NoticeChannel, type NoticePhase } from '../../../src/domain/insight/notice-rules.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { IncidentKey } from '../../../src/domain/ports/insight/incidents.ts';
import { table, type MemoryState } from '../state.ts';

interface NoticeOf {
  readonly storeId: string;
  readonly incidentId: string;
  readonly phase: NoticePhase;
  readonly channel: NoticeChannel;
}

/** Times in milliseconds. */
export interface NoticeRow extends NoticeOf {
  readonly createdAt: number;
  readonly nextAt: number;
  readonly tries: number;
  readonly takenAt: number | null;
  readonly sentAt: number | null;
}

export const noticesOf = (state: MemoryState): Map<string, NoticeRow> => table<NoticeRow>(state, 'incident_notices');

export const noticeKey = ({ storeId, incidentId, phase, channel }: NoticeOf): string =>
  `${storeId} ${incidentId} ${phase} ${channel}`;

export const note = (state: MemoryState, clock: Clock, of: NoticeOf): void => {
  const now = clock.now();
  const row = { ...of, createdAt: now, nextAt: now + GATHER_SECONDS * 1000, tries: 0, takenAt: null, sentAt: null };
  noticesOf(state).set(noticeKey(of), row);
};

/** Notes the end of an incident whose beginning was tried. Other beginnings are withdrawn. */
export const noteEnd = (state: MemoryState, clock: Clock, incident: IncidentKey): void => {
  for (const [key, row] of [...noticesOf(state)]) {
    const { storeId, incidentId, channel } = row;
    if (incidentId !== incident.id || storeId !== incident.storeId) continue;
    if (row.tries === 0) noticesOf(state).delete(key);
    else note(state, clock, { storeId, incidentId, phase: 'end', channel });
  }
};
