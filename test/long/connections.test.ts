import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { NODE_NAME as NAME } from '../../src/adapters/prisma/connection/generation.ts';
import type { Sql } from '../../src/adapters/prisma/connection/sql.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { freeze, isFrozen } from '../support/freeze.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, call, startProcess, type ProcessOptions, type ServerProcess } from '../support/server.ts';

const CONNECTIONS = 3;

let database: TestDatabase;
const servers: LocalServer[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.end()));
});

afterAll(() => database.close());

/** A server that its test kills or stops. */
const startVictim = async (): Promise<ServerProcess> => {
  const server = await startProcess({ databaseUrl: database.url });
  servers.push(server);
  return server;
};

const start = async (env: ProcessOptions['env'] = {}): Promise<LocalServer> => {
  const server = await startLocally({ databaseUrl: database.url, env });
  servers.push(server);
  return server;
};

const connectionsOf = async (where: string): Promise<number> =>
  (await database.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${where}`)).length;
const connections = (where = 'true'): Promise<number> => connectionsOf(`application_name = '${NAME}' AND ${where}`);

it('many concurrent requests use exactly DATABASE_CONNECTIONS connections', async () => {
  const server = await start({ DATABASE_CONNECTIONS: String(CONNECTIONS) });
  const app = await aStoreWithApp(server, { products: 20 });
  const seen: number[] = [];
  const round = async (k: number): Promise<void> => {
    const id = app.productIds[k % app.productIds.length];
    const answers = await Promise.all([
      call(`${server.url}/apps/catalog/products`, 'GET', app.headers),
      bulk(server, app, `many-${String(k)}`, [{ id, name: `Many ${String(k)}` }]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    seen.push(await connections());
  };
  await Promise.all(Array.from({ length: 40 }, (_, k) => round(k)));
  expect(Math.max(...seen)).toBe(CONNECTIONS);
});

it('after kill -9 of a process whose statement waits for a lock, the database ends the statement and the key is free', async () => {
  const [killed, other] = await Promise.all([startVictim(), start()]);
  const app = await aStoreWithApp(killed, { products: 1 });
  const change = [{ id: app.productIds[0], name: 'After the kill' }];
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [app.productIds[0]]);

  const waiting = (): Promise<number> => connections("wait_event_type = 'Lock'");
  const lost = expect(bulk(killed, app, 'waits', change)).rejects.toThrow();
  await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(1);
  killed.kill('SIGKILL');
  await lost;
  // The server notices within half a second on an idle machine. Otherwise the statement would wait
  // for as long as the lock is held: beyond this wait.
  await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(0);

  const retry = bulk(other, app, 'waits', change);
  await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(1);
  await holder.query('COMMIT');
  await holder.end();
  expect(await retry).toMatchObject({ status: 200 });
  expect((await retry).headers['idempotent-replay']).toBeUndefined();
  const done = await database.query("SELECT 1 FROM events WHERE type = 'product.updated' AND store_id = $1", [app.storeId]);
  expect(done).toHaveLength(1);
});

it('a process that is stopped (SIGSTOP) in a transaction loses its locks, and its transaction is rolled back', async () => {
  const [stopped, other] = await Promise.all([startVictim(), start()]);
  const app = await aStoreWithApp(stopped, { products: 1 });
  const change = [{ id: app.productIds[0], name: 'Done once' }];
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [app.productIds[0]]);

  const first = bulk(stopped, app, 'stops', change).then(({ status }) => status, String);
  await expect.poll(() => connections("wait_event_type = 'Lock'"), { timeout: 60_000, interval: 20 }).toBe(1);
  await freeze(stopped.pid);
  await holder.query('COMMIT');
  await holder.end();
  await expect.poll(() => connections("state = 'idle in transaction'"), { timeout: 60_000, interval: 20 }).toBe(1);

  const retry = await vi.waitFor(
    async () => {
      const answer = await bulk(other, app, 'stops', change);
      expect(answer.status).toBe(200);
      return answer;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(retry.headers['idempotent-replay']).toBeUndefined();
  expect(await isFrozen(stopped.pid)).toBe(true);
  stopped.kill('SIGCONT');
  expect(await first).toBe(503);
  const done = await database.query("SELECT 1 FROM events WHERE type = 'product.updated' AND store_id = $1", [app.storeId]);
  expect(done).toHaveLength(1);
});

const PID = compileStatement({ text: 'SELECT pg_backend_pid() AS pid', row: { pid: 'int4' } });
const SLEEP = compileStatement({ text: 'SELECT pg_sleep(60)' });

// PostgreSQL ends a connection in the same packet as the answer that freed it, so pg reports both in the same turn.
it('a connection that ends while it is acquired causes an error for its user and does not end the process', async () => {
  const handed = openDatabase({ url: database.url, connections: 1 });
  try {
    await handed.transaction((sql) => sql.execute(PID));
    const client = await handed.pool.connect();
    expect(() => client.emit('error', new Error('terminating connection due to administrator command'))).not.toThrow();
    client.release(true);
    expect(await handed.rows(PID)).toHaveLength(1);
  } finally {
    await handed.close();
  }
});

it('the shared connection for token lookups is replaced when it ends, and its pending lookups fail', async () => {
  const lost: Error[] = [];
  const shared = openDatabase({ url: database.url, connections: 2, pipelined: true, onIdleError: (error) => lost.push(error) });
  const pid = async (sql: Sql): Promise<number | undefined> => (await sql.rows(PID))[0]?.pid;
  try {
    const [first, ...others] = await Promise.all(Array.from({ length: 40 }, () => pid(shared.pipeline)));
    expect(others.every((other) => other === first)).toBe(true);
    const pooled = await Promise.all(Array.from({ length: 40 }, () => pid(shared)));
    expect(new Set(pooled).size).toBe(1);
    expect(pooled).not.toContain(first);

    const asked = [shared.pipeline.execute(SLEEP), pid(shared.pipeline)].map((answer) => expect(answer).rejects.toThrow());
    await expect
      .poll(() => connectionsOf("query = 'SELECT pg_sleep(60)' AND state = 'active'"), { timeout: 60_000, interval: 20 })
      .toBe(1);
    await database.query('SELECT pg_terminate_backend($1)', [first]);
    await Promise.all(asked);
    expect(lost).not.toHaveLength(0);
    expect(await pid(shared.pipeline)).not.toBe(first);
  } finally {
    await shared.close();
  }
});
