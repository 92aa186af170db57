import { createDeliveryFence as memoryFence, stopDeliveries as stopInMemory } from '../../src/adapters/memory/delivery-fence.ts';
import { sequentialIds } from '../../src/adapters/memory/ids.ts';
import { createMemoryState, table } from '../../src/adapters/memory/state.ts';
import { createDeliveryFence } from '../../src/adapters/prisma/delivery-fence.ts';
import { stopDeliveries } from '../../src/adapters/prisma/delivery-gate.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { deliveryFenceContract } from './delivery-fence.contract.ts';
import type { FenceWorld } from './delivery-fence.contract.ts';

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

const memoryWorld = async (): Promise<FenceWorld> => {
  const ids = sequentialIds();
  const state = createMemoryState();
  const rows = table<Row>(state, 'subscriptions');
  return {
    worker: () => memoryFence(state),
    aSubscription: async () => {
      const id = ids.next();
      rows.set(id, { id, storeId: ids.next(), installationId: ids.next() });
      return id;
    },
    remove: async (id) => void rows.delete(id),
    stop: (by, id, work, limit) => stopInMemory(state, (row) => idOf[by](row as Row) === idOf[by](rows.get(id)!), work, limit),
    close: async () => undefined,
  };
};

const prismaWorld = async (): Promise<FenceWorld> => {
  const ids = sequentialIds();
  const database = await openTestDatabase();
  const api = createDeliveryFence({ url: database.url });
  const rows = new Map<string, Row>();
  return {
    worker: () => createDeliveryFence({ url: database.url }),
    aSubscription: async () => {
      const [id, storeId, installationId] = [ids.next(), ids.next(), ids.next()];
      await database.query("INSERT INTO stores (id, domain, name, currency) VALUES ($1::uuid, $1::text, 'S', 'EUR')", [storeId]);
      await database.query(
        "INSERT INTO installations (id, store_id, name, client_id, scopes) VALUES ($1::uuid, $2, 'A', $1::text, '{}')",
        [installationId, storeId],
      );
      await database.query(
        "INSERT INTO subscriptions (id, store_id, installation_id, url, event_types) VALUES ($1, $2, $3, 'https://x.test', '{order.paid}')",
        [id, storeId, installationId],
      );
      rows.set(id, { id, storeId, installationId });
      return id;
    },
    remove: async (id) => {
      await database.query('DELETE FROM subscriptions WHERE id = $1', [id]);
    },
    stop: (by, id, work, limit) =>
      database.transaction(async (sql) => {
        await stopDeliveries(sql, by, idOf[by](rows.get(id)!), { tell: api.tell, ...(limit ? { limit } : {}) });
        await work();
      }),
    close: async () => {
      await api.close();
      await database.close();
    },
  };
};

deliveryFenceContract('memory', memoryWorld);
deliveryFenceContract('prisma', prismaWorld);
