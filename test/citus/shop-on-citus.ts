import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { startCitus, type Citus } from '../support/citus.ts';
import { queryOn } from '../support/query-on.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, type StoreWithApp } from '../support/server.ts';

/** A server on a Citus cluster of its own, which breaks or logs what no other test may see. */
export interface ShopOnCitus {
  readonly citus: Citus;
  readonly server: LocalServer;
  readonly receiver: Receiver;
  /** In as many stores that each worker has some. */
  readonly apps: readonly StoreWithApp[];
  /** The port of the worker that has the store. */
  portOf(storeId: string): Promise<number>;
  close(): Promise<void>;
}

const STORES = 4;
const WORKERS = 2;
const SCOPES = ['read_products', 'write_products', 'write_inventory', 'read_webhooks', 'write_webhooks'];
const PORT_OF = `
  SELECT nodeport AS port FROM citus_shards
  WHERE table_name = 'stores'::regclass AND shardid = get_shard_id_for_distribution_column('stores', $1::uuid)`;

/** `settings`: of the coordinator's database, such as `citus.log_remote_commands = on`. */
export const openShopOnCitus = async (settings: readonly string[] = []): Promise<ShopOnCitus> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-shop-on-citus-'));
  const citus = await startCitus(join(folder, 'nodes'));
  const { url } = citus.coordinator;
  const database = openDatabase({ url });
  await migrate(database);
  await queryOn(url, ...settings.map((setting) => `ALTER DATABASE tenon SET ${setting}`));
  const receiver = await startReceiver();
  const server = await startLocally({ databaseUrl: url, env: { MEDIA_STORAGE: join(folder, 'media') } });
  const portOf = async (storeId: string): Promise<number> => {
    const { rows } = await database.pool.query<{ port: number }>(PORT_OF, [storeId]);
    return rows[0]?.port ?? 0;
  };
  const apps: StoreWithApp[] = [];
  const ports = new Set<number>();
  // The id of a store, which is random, decides on its worker.
  while (apps.length < STORES || ports.size < WORKERS) {
    const app = await aStoreWithApp(server, { products: 3, scopes: SCOPES });
    apps.push(app);
    ports.add(await portOf(app.storeId));
  }
  return {
    citus,
    server,
    receiver,
    apps,
    portOf,
    close: async () => {
      await server.end();
      await receiver.close();
      await database.close();
      await citus.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
