import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { asAdmin, aStoreWithApp, bulk, call, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';

const REFUSALS = 25;

let database: TestDatabase;
let first: LocalServer;
let second: ServerProcess;
let app: StoreWithApp;

beforeAll(async () => {
  database = await openTestDatabase();
  const options = { databaseUrl: database.url };
  [first, second] = await Promise.all([startLocally(options), startProcess(options)]);
  app = await aStoreWithApp(first, { products: 1 });
});
afterAll(async () => {
  await Promise.all([first.end(), second.end()]);
  await database.close();
});

const read = async <Answer>(node: LocalServer, path: string): Promise<Answer> => {
  const answer = await asAdmin(node, 'GET', path);
  expect(answer.status, answer.body).toBe(200);
  return JSON.parse(answer.body) as Answer;
};

it('two nodes gather apart, and both show the refusals, the figures and the uses of keys of both', async () => {
  const path = `/apps/catalog/collections/${app.storeId}/products`;
  const products = [{ id: app.productIds[0], name: 'Dovetail saw' }];
  expect((await bulk(first, app, 'shared', products)).status).toBe(200);
  for (const node of [first, second]) {
    const refused = Array.from({ length: REFUSALS }, () => call(`${node.url}${path}`, 'GET', app.headers));
    expect(new Set((await Promise.all(refused)).map(({ status }) => status))).toEqual(new Set([403]));
    expect((await bulk(node, app, 'shared', products)).headers['idempotent-replay']).toBe('true');
  }
  for (const node of [first, second]) {
    await eventually(async () => {
      const { items } = await read<{ items: { leftOut: number }[] }>(node, `/admin/stores/${app.storeId}/requests`);
      expect(items.reduce((sum, { leftOut }) => sum + 1 + leftOut, 0)).toBe(2 * REFUSALS);
      expect(items.length).toBeLessThan(2 * REFUSALS);
      const { steps } = await read<{ steps: { refusals: object[] }[] }>(node, `/admin/stores/${app.storeId}/stats?step=day`);
      expect(steps.flatMap(({ refusals }) => refusals)).toEqual([
        { check: 'scope', reason: 'needs read_collections', count: 2 * REFUSALS },
      ]);
      const life = await read<object>(node, `/admin/apps/${app.installationId}/idempotency-keys/shared`);
      expect(life).toMatchObject({ state: 'finished', replays: 2, conflicts: 0, mismatches: 0 });
    });
  }
});

it('a node that is stopped writes what it has gathered', async () => {
  const refused = await call(`${second.url}/apps/catalog/products/none`, 'GET', app.headers);
  expect(refused.status).toBe(404);
  second.kill('SIGTERM');
  expect((await second.exited).code).toBe(0);
  const found = await read<object>(first, `/admin/requests/${String(refused.headers['x-request-id'])}`);
  expect(found).toMatchObject({ check: 'schema', status: 404, installationId: app.installationId });
});
