import { BETWEEN_SECONDS, RETRY_SECONDS, SEND_FOR_HOURS } from '../../../src/domain/insight/notice-rules.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { IncidentNotices } from '../../../src/domain/ports/insight/incident-notices.ts';
import { NO_STORE } from '../../../src/domain/ports/locator.ts';
import type { MemoryState } from '../state.ts';
import { incidentRowsOf, shownIncident } from './incidents.ts';
import { noticeKey, noticesOf, type NoticeRow } from './notice-tables.ts';

export const incidentNotices = (state: MemoryState, clock: Clock): IncidentNotices => {
  const all = (): NoticeRow[] => [...noticesOf(state).values()];
  return {
    take: async (channel, limit) => {
      const now = clock.now();
      const own = all().filter((row) => row.channel === channel);
      if (own.some(({ takenAt }) => takenAt !== null && takenAt > now - BETWEEN_SECONDS * 1000)) return [];
      return own
        .filter(
          ({ sentAt, nextAt, createdAt }) => sentAt === null && nextAt <= now && createdAt > now - SEND_FOR_HOURS * 3_600_000,
        )
        .sort((a, b) => a.createdAt - b.createdAt || (noticeKey(a) < noticeKey(b) ? -1 : 1))
        .slice(0, limit)
        .flatMap((row) => {
          const wait = Math.min(RETRY_SECONDS.least * 2 ** row.tries, RETRY_SECONDS.most) * 1000;
          noticesOf(state).set(noticeKey(row), { ...row, takenAt: now, tries: row.tries + 1, nextAt: now + wait });
          const incident = incidentRowsOf(state).get(`${row.storeId}/${row.incidentId}`);
          return incident ? [{ phase: row.phase, incident: shownIncident(state, incident) }] : [];
        });
    },
    sent: async (channel, notices) => {
      for (const { phase, incident } of notices) {
        const key = noticeKey({ storeId: incident.storeId ?? NO_STORE, incidentId: incident.id, phase, channel });
        const row = noticesOf(state).get(key);
        if (row) noticesOf(state).set(key, { ...row, sentAt: clock.now() });
      }
    },
  };
};
