import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { queryOn, startCitus, type Citus } from '../support/citus.ts';
import { eventually } from '../support/eventually.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, asAdmin, bulk, call, type StoreWithApp } from '../support/server.ts';
import { subscribe } from '../support/webhooks.ts';

const LOGS_COMMANDS = ['citus.log_remote_commands = on', `log_min_messages = 'notice'`, `log_error_verbosity = 'default'`];

let folder: string;
let citus: Citus;
let server: LocalServer;
let receiver: Receiver;
/** In as many stores that both workers have some. */
let apps: StoreWithApp[];

/** What the coordinator prepared on a worker, and so ends in two phases, since the last call. */
let read = 0;
const preparedSince = (): string[] => {
  const text = citus.coordinator.log().slice(read);
  read += text.length;
  return text.split('\n').filter((line) => line.includes('issuing PREPARE TRANSACTION'));
};

const STORES = 4;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-one-phase-'));
  citus = await startCitus(join(folder, 'nodes'));
  const { url } = citus.coordinator;
  const database = openDatabase({ url });
  await migrate(database);
  await database.close();
  await queryOn(url, ...LOGS_COMMANDS.map((setting) => `ALTER DATABASE tenon SET ${setting}`));
  receiver = await startReceiver();
  server = await startLocally({ databaseUrl: url, env: { MEDIA_STORAGE: join(folder, 'media') } });
  preparedSince();
  apps = [];
  for (let store = 0; store < STORES; store += 1)
    apps.push(
      await aStoreWithApp(server, {
        products: 3,
        scopes: ['read_products', 'write_products', 'write_inventory', 'read_webhooks', 'write_webhooks'],
      }),
    );
});
afterAll(async () => {
  await server.end();
  await receiver.close();
  await citus.stop();
  await rm(folder, { recursive: true, force: true });
});

it('the stores are on both workers, each with all that it has on one', async () => {
  const database = openDatabase({ url: citus.coordinator.url });
  const { rows } = await database.pool.query<{ nodes: number }>(
    `SELECT count(DISTINCT nodeport)::int AS nodes FROM citus_shards WHERE table_name = 'stores'::regclass
     AND shardid = ANY (SELECT get_shard_id_for_distribution_column('stores', id) FROM stores)`,
  );
  await database.close();
  expect(rows).toEqual([{ nodes: 2 }]);
});

it.each([
  ['a store, an app, an import and a token', () => Promise.resolve(apps.length)],
  [
    'a subscription',
    async () => {
      for (const app of apps) await subscribe(server, app, receiver.url, 'product.updated');
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(STORES));
    },
  ],
  [
    'reads',
    async () => {
      for (const { headers, productIds } of apps)
        for (const path of ['/apps/catalog/products', `/apps/catalog/products/${productIds[0] ?? ''}`, '/apps/events'])
          expect((await call(`${server.url}${path}`, 'GET', headers)).status).toBe(200);
    },
  ],
  [
    'a bulk update, its replay, its conflict, and its delivery',
    async () => {
      const before = receiver.received.length;
      for (const app of apps) {
        const name = [{ id: app.productIds[0], name: 'Of one phase' }];
        const [first, again] = [await bulk(server, app, 'key', name), await bulk(server, app, 'key', name)];
        expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
        expect(again.headers['idempotent-replay']).toBe('true');
        expect((await bulk(server, app, 'key', [{ id: app.productIds[1], name: 'Other' }])).status).toBe(422);
      }
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(before + STORES));
    },
  ],
  [
    'prices and stock',
    async () => {
      for (const app of apps) {
        const body = JSON.stringify({ variants: [{ sku: 'sku-0', price: 12 }] });
        const headers = { ...app.headers, 'idempotency-key': 'price' };
        const answer = await call(`${server.url}/apps/catalog/variants/bulk`, 'POST', headers, body);
        expect(answer.status, answer.body).toBe(200);
      }
    },
  ],
  [
    'an uninstallation',
    async () => {
      for (const app of apps) {
        const path = `/admin/stores/${app.storeId}/apps/${app.installationId}`;
        expect((await asAdmin(server, 'DELETE', path)).status).toBeLessThan(300);
        expect((await call(`${server.url}/apps/catalog/products`, 'GET', app.headers)).status).toBe(401);
      }
    },
  ],
])('%s: every commit is one phase on one worker', async (_title, live) => {
  await live();
  expect(preparedSince()).toEqual([]);
  expect(server.errors).toEqual([]);
});

it('the log shows a commit in two phases', async () => {
  await queryOn(citus.coordinator.url, `UPDATE stores SET name = name || ''`);
  expect(preparedSince().length).toBeGreaterThan(1);
});
