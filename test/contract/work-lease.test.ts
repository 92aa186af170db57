import { createWorkLeases as memoryLeases, stopWork as stopInMemory } from '../memory/work-lease.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createMemoryState, table } from '../memory/state.ts';
import { createWorkLeases } from '../../src/adapters/prisma/work/work-lease.ts';
import { stopWork } from '../../src/adapters/prisma/work/stop-work.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { workLeaseContract, type LeaseWorld } from './work-lease.contract.ts';

interface Row {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string;
}

const idOf = {
  subscription: (row: Row) => row.id,
  installation: (row: Row) => row.installationId,
  store: (row: Row) => row.storeId,
};

const memoryWorld = async (): Promise<LeaseWorld> => {
  const ids = sequentialIds();
  const state = createMemoryState();
  const rows = table<Row>(state, 'subscriptions');
  const apps = table<Row>(state, 'installations');
  return {
    worker: () => memoryLeases(state),
    add: async (of) => {
      const [id, storeId, installationId] = [ids.next(), ids.next(), ids.next()];
      apps.set(installationId, { id: installationId, storeId, installationId });
      if (of === 'imports') return installationId;
      rows.set(id, { id, storeId, installationId });
      return id;
    },
    appOf: (id) => rows.get(id)!.installationId,
    remove: async (id) => {
      if (!rows.delete(id)) apps.delete(id);
    },
    stop: (by, id, work, limit) =>
      stopInMemory(state, (row) => idOf[by](row as Row) === idOf[by](rows.get(id) ?? apps.get(id)!), work, limit),
    close: async () => undefined,
  };
};

const prismaWorld = async (): Promise<LeaseWorld> => {
  const ids = sequentialIds();
  const database = await openTestDatabase();
  const api = createWorkLeases({ url: database.url });
  const rows = new Map<string, Row>();
  return {
    worker: () => createWorkLeases({ url: database.url }),
    add: async (of) => {
      const [id, storeId, installationId] = [ids.next(), ids.next(), ids.next()];
      await database.query("INSERT INTO stores (id, domain, name, currency) VALUES ($1::uuid, $1::text, 'S', 'EUR')", [storeId]);
      await database.query(
        "INSERT INTO installations (id, store_id, name, client_id, scopes) VALUES ($1::uuid, $2, 'A', $1::text, '{}')",
        [installationId, storeId],
      );
      rows.set(installationId, { id: installationId, storeId, installationId });
      if (of === 'imports') return installationId;
      await database.query(
        "INSERT INTO subscriptions (id, store_id, installation_id, url, event_types) VALUES ($1, $2, $3, 'https://x.test', '{order.paid}')",
        [id, storeId, installationId],
      );
      rows.set(id, { id, storeId, installationId });
      return id;
    },
    appOf: (id) => rows.get(id)!.installationId,
    remove: async (id) => {
      await database.query('DELETE FROM subscriptions WHERE id = $1', [id]);
      await database.query('DELETE FROM installations WHERE id = $1', [id]);
    },
    stop: (by, id, work, limit) =>
      database.transaction(async (sql) => {
        await stopWork(sql, by, idOf[by](rows.get(id)!), { announce: api.announceStop, ...(limit ? { limit } : {}) });
        await work();
      }),
    close: async () => {
      await api.close();
      await database.close();
    },
  };
};

workLeaseContract('memory', memoryWorld);
workLeaseContract('prisma', prismaWorld);
