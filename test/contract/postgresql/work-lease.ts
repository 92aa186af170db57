import { sequentialIds } from '../../memory/ids.ts';
import { createWorkLeases } from '../../../src/adapters/prisma/work/work-lease.ts';
import { stopWork } from '../../../src/adapters/prisma/work/stop-work.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import type { LeaseWorld } from '../work-lease.contract.ts';
import { idOf, type LeasedRow } from '../lease-rows.ts';
import { onOwnSession } from '../../support/own-session.ts';

export const postgresqlLeaseWorld = async (): Promise<LeaseWorld> => {
  const ids = sequentialIds();
  const database = await openTestDatabase();
  const open = () => onOwnSession(database.url, (session) => createWorkLeases({ session, sql: database }));
  const api = open();
  const rows = new Map<string, LeasedRow>();
  return {
    worker: open,
    add: async (of) => {
      const [id, storeId, installationId] = [ids.next(), ids.next(), ids.next()];
      await database.query("INSERT INTO stores (id, domain, name, currency) VALUES ($1::uuid, $1::text, 'S', 'EUR')", [storeId]);
      await database.query(
        "INSERT INTO installations (id, store_id, name, client_id, scopes) VALUES ($1::uuid, $2, 'A', $1::text, '{}')",
        [installationId, storeId],
      );
      rows.set(installationId, { id: installationId, storeId, installationId });
      if (of === 'imports') return { storeId, id: installationId };
      await database.query(
        "INSERT INTO subscriptions (id, store_id, installation_id, url, event_types) VALUES ($1, $2, $3, 'https://x.test', '{order.paid}')",
        [id, storeId, installationId],
      );
      rows.set(id, { id, storeId, installationId });
      return { storeId, id };
    },
    appOf: ({ storeId, id }) => ({ storeId, id: rows.get(id)!.installationId }),
    remove: async ({ id }) => {
      await database.query('DELETE FROM subscriptions WHERE id = $1', [id]);
      await database.query('DELETE FROM installations WHERE id = $1', [id]);
    },
    stop: (by, { storeId, id }, work, limit) =>
      database.transaction(async (sql) => {
        await stopWork(
          sql,
          by,
          { storeId, id: idOf[by](rows.get(id)!) },
          { announce: api.announceStop, ...(limit ? { limit } : {}) },
        );
        await work();
      }),
    close: async () => {
      await api.close();
      await database.close();
    },
  };
};
