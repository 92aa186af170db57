import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, call, startProcess } from '../support/server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Longer than the test. */
const DRAIN_SECONDS = '300';

it.each(['1', '2'])('a node of %s API processes serves on after SIGTERM, and tells proxies to go', async (WORKERS) => {
  const node = await startProcess({ databaseUrl: database.url, env: { DRAIN_SECONDS, WORKERS } });
  onTestFinished(() => node.end());
  const app = await aStoreWithApp(node, { products: 1 });
  const before = await call(`${node.url}/readyz`, 'GET');
  expect([before.status, before.headers['connection']]).toEqual([200, 'keep-alive']);
  node.kill('SIGTERM');
  for (const url of [node.url, node.adminUrl]) {
    await eventually(async () => {
      const { status, headers, body } = await call(`${url}/readyz`, 'GET');
      expect([status, headers['connection']]).toEqual([503, 'close']);
      expect(JSON.parse(body)).toMatchObject({ checks: { accepting: 'failing' } });
    });
  }
  const answer = await bulk(node, app, 'while-it-drains', [{ id: app.productIds[0], metaTitle: 'Last' }]);
  expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
});
