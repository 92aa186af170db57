import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';

const ENTRY = 'test/support/failing-main.ts';
/**
 * The step of the protocol at which the process dies, and whether its work is committed by then.
 */
const STEPS = [
  ['before-claim', false],
  ['after-claim', false],
  ['after-lock', false],
  ['after-work', false],
  ['after-remember', false],
  ['after-commit', true],
] as const;

let database: TestDatabase;
let server: ServerProcess;
let app: StoreWithApp;

const startToDieAt = (step: string): Promise<ServerProcess> =>
  startProcess({ databaseUrl: database.url, entry: ENTRY, env: { KILL_AT: step } });

beforeAll(async () => {
  database = await openTestDatabase();
  server = await startToDieAt(STEPS[0][0]);
  app = await aStoreWithApp(server, { products: STEPS.length });
});

afterAll(async () => {
  await server.end();
  await database.close();
});

const namesWritten = async (productId: string): Promise<string[]> => {
  const rows = await database.query<{ name: string }>(
    `SELECT body::json #>> '{data,current,name}' AS name FROM events WHERE type = 'product.updated' AND resource_id = $1`,
    [productId],
  );
  return rows.map(({ name }) => name);
};

describe('after kill -9 at any step of the idempotency protocol, a restart and a retry execute the request exactly once', () => {
  it.each(STEPS)('%s', async (step, committed) => {
    const at = STEPS.findIndex(([name]) => name === step);
    const productId = app.productIds[at] ?? '';
    const change = [{ id: productId, name: `Killed ${step}`, slug: `killed-${step}` }];

    await expect(bulk(server, app, `kill-${step}`, change)).rejects.toThrow();
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await namesWritten(productId)).toEqual(committed ? [`Killed ${step}`] : []);

    // The restarted process is the one that dies at the next step: this step's key is like any other to it.
    server = await startToDieAt(STEPS[at + 1]?.[0] ?? 'never');
    const retry = await bulk(server, app, `kill-${step}`, change);
    expect([retry.status, retry.headers['idempotent-replay']]).toEqual([200, committed ? 'true' : undefined]);
    expect(JSON.parse(retry.body)).toMatchObject({ succeeded: 1, failed: 0, slugsChanged: 1 });

    const again = await bulk(server, app, `kill-${step}`, change);
    expect(again).toMatchObject({ status: 200, body: retry.body, headers: { 'idempotent-replay': 'true' } });
    expect(await namesWritten(productId)).toEqual([`Killed ${step}`]);
    expect(await database.query('SELECT name, slug FROM products WHERE id = $1', [productId])).toEqual([
      { name: `Killed ${step}`, slug: `killed-${step}` },
    ]);
  });
});
