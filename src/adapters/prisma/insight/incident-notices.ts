import type { IncidentNotices } from '../../../domain/ports/insight/incident-notices.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import type { Database } from '../connection/database.ts';
import { byStore } from '../../../domain/by-store.ts';
import { LOCK_CHANNEL, SENT, TAKE } from './incident-notice-statements.ts';

export const incidentNotices = (database: Database): IncidentNotices => ({
  take: async (channel, limit) => {
    const rows = await database.transaction(async (sql) => {
      await sql.execute(LOCK_CHANNEL, { channel });
      return sql.rows(TAKE, { channel, limit });
    });
    return rows.map(({ phase, ...incident }) => ({ phase, incident }));
  },
  sent: async (channel, notices) => {
    const rows = notices.map(({ phase, incident: { id, storeId } }) => ({ phase, id, storeId: storeId ?? NO_STORE }));
    for (const [storeId, own] of byStore(rows)) {
      const [ids, phases] = [own.map(({ id }) => id), own.map(({ phase }) => phase)];
      await database.execute(SENT, { storeId, channel, ids, phases });
    }
  },
});
