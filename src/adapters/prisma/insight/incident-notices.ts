import type { IncidentNotices } from '../../../domain/ports/insight/incident-notices.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import type { Database } from '../connection/database.ts';
import { byStore } from '../../../domain/by-store.ts';
import { DUE, LOCK_CHANNEL, SENT, CLAIM_NOTICES } from './incident-notice-statements.ts';

interface Key {
  readonly id: string;
  readonly phase: string;
}

const keysOf = (notices: readonly Key[]) => ({ ids: notices.map(({ id }) => id), phases: notices.map(({ phase }) => phase) });

export const incidentNotices = (database: Database): IncidentNotices => ({
  take: async (channel, limit) => {
    const [due, rows] = await database.transaction(async (sql) => {
      await sql.execute(LOCK_CHANNEL, { channel });
      const found = await sql.rows(DUE, { channel, limit });
      const taken = [...byStore(found)].map(([storeId, own]) => sql.rows(CLAIM_NOTICES, { storeId, channel, ...keysOf(own) }));
      return [found, (await Promise.all(taken)).flat()];
    });
    return due.flatMap(({ id, phase }) =>
      rows.flatMap(({ phase: of, ...incident }) => (of === phase && incident.id === id ? [{ phase, incident }] : [])),
    );
  },
  sent: async (channel, notices) => {
    const rows = notices.map(({ phase, incident: { id, storeId } }) => ({ phase, id, storeId: storeId ?? NO_STORE }));
    for (const [storeId, own] of byStore(rows)) {
      await database.execute(SENT, { storeId, channel, ...keysOf(own) });
    }
  },
});
