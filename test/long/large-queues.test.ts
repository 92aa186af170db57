import { afterAll, beforeAll, expect, it } from 'vitest';

import { ENDED_AT_ONCE } from '../../src/adapters/prisma/webhooks/queue/ending.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { hang, startReceiver } from '../support/receiver.ts';
import { aStoreWithApp, asAdmin, bulk, call, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';
import { statusesOf, subscribe } from '../support/webhooks.ts';

/** Deliveries that are due in each of two subscriptions, and keys. A million of each show the same, and take ten minutes. */
const QUEUED = 100_000;
const KEYS = 100_000;
const PINGS = 1;
const IN_FLIGHT = 4;

let database: TestDatabase;
let api: ServerProcess;
let worker: ServerProcess;
let receivers: readonly Awaited<ReturnType<typeof startReceiver>>[];
let app: StoreWithApp;
let subscriptions: readonly string[];

const start = (role: 'api' | 'worker') =>
  startProcess({ databaseUrl: database.url, env: { ROLE: role, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } });
const receiverOf = (at: number) => receivers[at] ?? expect.fail('no receiver');
const subscriptionOf = (at: number) => subscriptions[at] ?? expect.fail('no subscription');

/** Inserts as many rows as no request could make. Nothing checks them one by one. */
const fill = async (): Promise<void> => {
  const now = Date.now().toString(16).padStart(12, '0');
  const id = (kind: number, number: string) =>
    `('${now.slice(0, 8)}-${now.slice(8)}-7${String(kind).padStart(3, '0')}-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
  const [storeId, installationId] = [`'${app.storeId}'::uuid`, `'${app.installationId}'::uuid`];
  await database.query(`
    BEGIN;
    SET LOCAL session_replication_role = replica;
    SET LOCAL statement_timeout = 0;
    INSERT INTO events (id, store_id, type, body)
      SELECT ${id(1, 'n')}, ${storeId}, 'order.paid', '{}' FROM generate_series(1, ${String(QUEUED)}) AS n;
    ${subscriptions
      .map((subscription, at) => {
        const rows = `${storeId}, ${id(1, 'n')}, '${subscription}'::uuid`;
        const from = `FROM generate_series(1, ${String(QUEUED)}) AS n`;
        return `
          INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, next_attempt_at, created_at)
            SELECT ${id(2 + at, 'n')}, ${rows}, ${installationId}, now_ms(), now_ms() ${from};
          INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at)
            SELECT ${id(2 + at, 'n')}, ${rows}, now_ms() ${from};`;
      })
      .join('')}
    INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint, status, headers, body, finished_at)
      SELECT ${storeId}, ${installationId}, 'key-' || n, decode(repeat('00', 32), 'hex'), 200, '{}', '{}', now() FROM generate_series(1, ${String(KEYS)}) AS n;
    COMMIT`);
  await database.query('ANALYZE deliveries, delivery_queue, events, idempotency_records');
};

const count = async (from: string, ...values: readonly string[]): Promise<number> =>
  (await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`, values))[0]?.n ?? -1;
const queued = (subscriptionId: string) => count('delivery_queue WHERE subscription_id = $1', subscriptionId);

/** Kills the worker while it ends rows, and has another one end the others. */
const endThroughKill = async (subscriptionId: string): Promise<void> => {
  const first = await queued(subscriptionId);
  await expect.poll(() => queued(subscriptionId), { timeout: 60_000 }).toBeLessThan(first);
  await worker.end();
  expect(await queued(subscriptionId)).toBeGreaterThan(0);
  worker = await start('worker');
  await expect.poll(() => queued(subscriptionId), { timeout: 240_000, interval: 1_000 }).toBe(0);
  expect(await statusesOf(database, [subscriptionId])).toEqual({ Dropped: QUEUED });
};

beforeAll(async () => {
  database = await openTestDatabase();
  receivers = [await startReceiver(), await startReceiver()];
  for (const receiver of receivers) receiver.answer(hang);
  api = await start('api');
  app = await aStoreWithApp(api, { scopes: ['read_orders', 'write_webhooks', 'write_products'], products: 0 });
  const made: string[] = [];
  for (const { url } of receivers) made.push(await subscribe(api, app, url, 'order.paid'));
  subscriptions = made;
  await fill();
  worker = await start('worker');
}, 300_000);
afterAll(async () => {
  await Promise.all([api.end(), worker.end()]);
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await database.close();
});

it('the deletion of a subscription is answered before its queue has ended, nothing more is attempted, and a killed worker leaves the rest to the next', async () => {
  const receiver = receiverOf(0);
  const subscriptionId = subscriptionOf(0);
  for (let n = 0; n < IN_FLIGHT; n += 1) await receiver.next();
  const answer = await call(`${api.url}/apps/webhooks/subscriptions/${subscriptionId}`, 'DELETE', app.headers);
  expect(answer.status).toBe(204);
  expect(await queued(subscriptionId)).toBeGreaterThan(QUEUED / 2);
  await endThroughKill(subscriptionId);
  expect(receiver.received).toHaveLength(IN_FLIGHT);
}, 300_000);

it('an uninstallation ends a bounded part of the queue and no key, nothing is attempted or replayed afterwards, and the workers do the rest', async () => {
  const receiver = receiverOf(1);
  const subscriptionId = subscriptionOf(1);
  for (let n = 0; n < IN_FLIGHT; n += 1) await receiver.next();
  await worker.end();
  const seen = receiver.received.length;
  const answer = await asAdmin(api, 'POST', `/admin/apps/${app.installationId}/uninstall`);
  expect(answer.status).toBe(204);
  expect(await queued(subscriptionId)).toBe(QUEUED + PINGS - ENDED_AT_ONCE);
  expect(await count('idempotency_records WHERE installation_id = $1', app.installationId)).toBe(KEYS);
  expect((await bulk(api, app, 'key-1', [])).status).toBe(401);

  worker = await start('worker');
  await endThroughKill(subscriptionId);
  expect(receiver.received).toHaveLength(seen);
}, 300_000);
