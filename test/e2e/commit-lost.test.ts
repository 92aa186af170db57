import { afterAll, beforeAll, expect, it } from 'vitest';

import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, call, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let server: ServerProcess;
let app: StoreWithApp;

beforeAll(async () => {
  database = await openTestDatabase();
  proxy = await openTcpProxy(database.url);
  // No background work, whose COMMIT might be the one whose answer is lost.
  server = await startProcess({ databaseUrl: proxy.url, env: { ROLE: 'api' } });
  app = await aStoreWithApp(server, { products: 1 });
});

afterAll(async () => {
  await server.end();
  await proxy.close();
  await database.close();
});

const changesWritten = async (): Promise<number> =>
  (await database.query("SELECT 1 FROM events WHERE type = 'product.updated' AND resource_id = $1", [app.productIds[0]])).length;

it('503 when the answer to COMMIT is lost: the work is done once, and a retry with the same key gets the replay', async () => {
  const change = [{ id: app.productIds[0], name: 'Renamed once' }];
  const lost = proxy.loseAnswerTo('COMMIT');
  const unknown = await bulk(server, app, 'commit-lost', change);
  await lost;
  expect([unknown.status, unknown.headers['retry-after']]).toEqual([503, '1']);
  expect(JSON.parse(unknown.body)).toMatchObject({ code: 'unavailable' });
  expect(await database.query('SELECT key, status FROM idempotency_records')).toEqual([{ key: 'commit-lost', status: 200 }]);
  // The line leaves the process after the response.
  await expect.poll(() => server.errors.join()).toContain('OutcomeUnknown');

  const retry = await bulk(server, app, 'commit-lost', change);
  expect([retry.status, retry.headers['idempotent-replay']]).toEqual([200, 'true']);
  expect(JSON.parse(retry.body)).toMatchObject({ requested: 1, succeeded: 1, failed: 0 });
  expect(await changesWritten()).toBe(1);
});

it('503 when the connection is cut before COMMIT: nothing is done, the key is free, and a retry executes the request', async () => {
  const change = [{ id: app.productIds[0], name: 'Renamed twice' }];
  // The lock of the product: the writes that follow it leave with the COMMIT.
  const cut = proxy.loseAnswerTo(app.productIds[0] ?? '');
  const outage = await bulk(server, app, 'work-lost', change);
  await cut;
  expect(outage.status).toBe(503);
  expect(await changesWritten()).toBe(1);

  const retry = await bulk(server, app, 'work-lost', change);
  expect([retry.status, retry.headers['idempotent-replay']]).toEqual([200, undefined]);
  expect(await changesWritten()).toBe(2);
});

it('503 when a new connection is cut before its first statement: the process continues, and the next request gets another connection', async () => {
  const fault = { landed: false };
  // A setting of the connection on which requests are admitted, and of no connection in the background.
  void proxy.loseAnswerTo('enable_seqscan').then(() => {
    fault.landed = true;
  });
  expect(proxy.cut()).toBeGreaterThan(0);
  const statuses: number[] = [];
  // The first request may still get a connection that is cut, because the process has not noticed it yet.
  while (!fault.landed) statuses.push((await call(`${server.url}/apps/catalog/products`, 'GET', app.headers)).status);
  expect(new Set(statuses)).toEqual(new Set([503]));
  await expect.poll(async () => (await call(`${server.url}/apps/catalog/products`, 'GET', app.headers)).status).toBe(200);
});
