import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { createDeliveryQueue } from '../../src/adapters/bullmq/delivery-queue.ts';
import { openCopyConnection } from '../../src/adapters/prisma/connection/copy-connection.ts';
import { openDatabase, withoutStatementTimeout, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { openDedicated } from '../../src/adapters/prisma/connection/dedicated.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import { startLocally } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { asAdmin, aStoreWithApp, bulk, call } from '../support/server.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const ONE = compileStatement({ text: 'SELECT 1 AS one', row: { one: 'int4' } });
const TIMEOUT_MS = 500;

let real: TestDatabase;
let proxy: TcpProxy;
const opened: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  real = await openTestDatabase();
});

afterEach(async () => {
  proxy.speak();
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await proxy.close();
});

afterAll(() => real.close());

const openProxy = async (): Promise<string> => {
  proxy = await openTcpProxy(real.url);
  return proxy.url;
};

const open = async (onIdleError?: (error: Error) => void): Promise<Database> => {
  const url = await openProxy();
  const database = openDatabase({
    url,
    connections: 6,
    pipelined: true,
    statementTimeoutMs: TIMEOUT_MS,
    ...(onIdleError && { onIdleError }),
  });
  opened.push(database);
  return database;
};

/** The open connections pass nothing on from now on. The work fails because of it. */
const whileSilent = async (work: () => Promise<unknown>): Promise<void> => {
  const before = proxy.swallowed();
  proxy.fallSilent({ newToo: false });
  await expect(work()).rejects.toThrow(DatabaseUnavailable);
  expect(proxy.swallowed()).toBeGreaterThan(before);
};

describe('an open connection on which nothing arrives any more is ended, and the next statement gets a new one:', () => {
  it('of the pool', async () => {
    const database = await open();
    await database.rows(ONE);
    await whileSilent(() => database.rows(ONE));
    expect(await database.rows(ONE)).toEqual([{ one: 1 }]);
  });

  it('of the pool, for Prisma', async () => {
    const database = await open();
    await database.prisma().store.count();
    await whileSilent(() => database.prisma().store.count());
    expect(await database.prisma().store.count()).toBe(0);
  });

  it('the shared one', async () => {
    const database = await open();
    await database.pipeline.rows(ONE);
    await whileSilent(() => Promise.all([database.pipeline.rows(ONE), database.pipeline.rows(ONE)]));
    expect(await database.pipeline.rows(ONE)).toEqual([{ one: 1 }]);
  });

  it('the shared one, before a statement needs it', async () => {
    const errors: Error[] = [];
    const database = await open((error) => errors.push(error));
    await database.pipeline.rows(ONE);
    proxy.fallSilent({ newToo: false });
    await expect.poll(() => errors).not.toEqual([]);
    expect(proxy.swallowed()).toBeGreaterThan(0);
    expect(await database.pipeline.rows(ONE)).toEqual([{ one: 1 }]);
  });

  it('in a transaction', async () => {
    const database = await open();
    await expect(
      database.transaction(async (sql) => {
        await sql.rows(ONE);
        proxy.fallSilent({ newToo: false });
        await sql.rows(ONE);
      }),
    ).rejects.toThrow(DatabaseUnavailable);
    expect(proxy.swallowed()).toBeGreaterThan(0);
    expect(await database.transaction((sql) => sql.rows(ONE))).toEqual([{ one: 1 }]);
  });

  it('without a limit of the server', async () => {
    const patient = withoutStatementTimeout(await open());
    await patient.rows(ONE);
    await whileSilent(() => patient.rows(ONE));
    expect(await patient.rows(ONE)).toEqual([{ one: 1 }]);
  });

  it('all of the pool at once, so that the next statements do not each wait', async () => {
    const database = await open();
    const clients = await Promise.all(Array.from({ length: 5 }, () => database.pool.connect()));
    for (const client of clients) client.release();
    await whileSilent(() => database.rows(ONE));
    for (let n = 0; n < 5; n += 1) expect(await database.rows(ONE)).toEqual([{ one: 1 }]);
  });

  it('a dedicated one', async () => {
    const url = await openProxy();
    const ends: (Error | null)[] = [];
    const dedicated = await openDedicated({
      url,
      name: 'tenon test',
      answerMs: TIMEOUT_MS,
      beatMs: 60_000,
      onNotification: () => undefined,
      onEnd: (error) => void ends.push(error),
    });
    opened.push(dedicated);
    await dedicated.ping();
    proxy.fallSilent({ newToo: false });
    await expect(dedicated.ping()).rejects.toThrow();
    expect(ends).toEqual([expect.any(Error)]);
    expect(proxy.swallowed()).toBeGreaterThan(0);
  });

  it.each(['copyOut', 'copyIn', 'run'] as const)('one of a backup, in %s', async (how) => {
    const connection = await openCopyConnection(await openProxy());
    opened.push(connection);
    const table = { name: 'stores', columns: ['id'] };
    proxy.fallSilent({ newToo: false });
    const work = async (): Promise<unknown> => {
      if (how === 'copyOut') return connection.copyOut(table, 'true').toArray();
      if (how === 'run') return connection.run('SELECT');
      const lines = connection.copyIn(table);
      return new Promise((resolve, reject) => lines.on('error', reject).end(resolve));
    };
    await expect(work()).rejects.toThrow();
    expect(proxy.swallowed()).toBeGreaterThan(0);
  });

  it('one of a migration', async () => {
    const database = await open();
    await database.rows(ONE);
    proxy.fallSilent({ newToo: false });
    await expect(migrate(database)).rejects.toThrow();
    expect(proxy.swallowed()).toBeGreaterThan(0);
    await migrate(database);
  });

  it('those of the queue, the one included on which a worker listens', async () => {
    const queue = async (databaseUrl: string) => {
      const options = { concurrency: 1, onError: () => undefined, storeOf: () => Promise.resolve(null) };
      const one = await createDeliveryQueue({ backend: { databaseUrl }, ...options });
      opened.push(one);
      return one;
    };
    const [worker, other] = [await queue(await openProxy()), await queue(real.url)];
    const done: string[] = [];
    const note = (id: string): Promise<void> => {
      done.push(id);
      return Promise.resolve();
    };
    worker.work({ fanOut: note, deliver: ({ subscriptionId }) => note(subscriptionId) });
    await other.fanOut('before');
    await expect.poll(() => done).toEqual(['before']);
    const listeners = () =>
      real.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE query ILIKE '%LISTEN%bullmq_jobs%' AND pid <> pg_backend_pid()`,
      );
    const old = await listeners();
    expect(old).not.toEqual([]);
    proxy.fallSilent({ newToo: false });
    await expect.poll(() => proxy.swallowed()).toBeGreaterThan(0);
    await other.fanOut('after');
    await expect.poll(() => done).toEqual(['before', 'after']);
    expect(await worker.reachable()).toBe(true);
    await expect.poll(async () => (await listeners()).filter(({ pid }) => !old.some((one) => one.pid === pid))).not.toEqual([]);
  });
});

it('a connection to a server that takes it and says nothing is given up', async () => {
  const database = await open();
  proxy.fallSilent({ newToo: true });
  await Promise.all([
    expect(database.rows(ONE)).rejects.toThrow(DatabaseUnavailable),
    expect(database.pipeline.rows(ONE)).rejects.toThrow(DatabaseUnavailable),
    expect(database.prisma().store.count()).rejects.toThrow(DatabaseUnavailable),
  ]);
  expect(proxy.swallowed()).toBeGreaterThan(0);
  proxy.speak();
  expect(await database.rows(ONE)).toEqual([{ one: 1 }]);
});

it('a statement without a limit may take as long as the server works on it, also if it waits for a lock', async () => {
  const patient = withoutStatementTimeout(await open());
  const holder = new pg.Client({ connectionString: real.url });
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE stores');
    const waiting = patient.rows(
      compileStatement({ text: 'SELECT count(*)::int4 AS stores FROM stores', row: { stores: 'int4' } }),
    );
    // Longer than a silent connection has, by the clock of the server.
    await expect
      .poll(() =>
        real.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query_start < now() - interval '14 s'`),
      )
      .toHaveLength(1);
    await holder.query('COMMIT');
    expect(await waiting).toEqual([{ stores: 0 }]);
  } finally {
    await holder.end();
  }
});

it('requests get 503 while the database is silent, /readyz says so, and all is well again afterwards', async () => {
  const databaseUrl = await openProxy();
  const server = await startLocally({ databaseUrl, env: { DATABASE_STATEMENT_TIMEOUT_MS: String(TIMEOUT_MS) } });
  opened.push({ close: () => server.end() });
  const app = await aStoreWithApp(server, { products: 1 });
  const change = [{ id: app.productIds[0], name: 'Changed' }];
  const read = () => call(`${server.url}/apps/catalog/products`, 'GET', app.headers);
  const ready = async (url: string) => (await call(`${url}/readyz`, 'GET')).status;
  expect([await ready(server.url), await ready(server.adminUrl)]).toEqual([200, 200]);

  proxy.fallSilent({ newToo: true });
  const outcomes = Promise.all([
    read(),
    bulk(server, app, 'silent', change),
    asAdmin(server, 'GET', `/admin/stores/${app.storeId}`),
    asAdmin(server, 'POST', '/admin/stores', { domain: 'while-silent.example' }),
  ]);
  await expect.poll(() => ready(server.url), { timeout: 5_000 }).toBe(503);
  await expect.poll(() => ready(server.adminUrl), { timeout: 5_000 }).toBe(503);
  const unavailable = { status: 503, headers: { 'retry-after': '1' } };
  expect(await outcomes).toMatchObject([unavailable, unavailable, unavailable, unavailable]);
  expect(proxy.swallowed()).toBeGreaterThan(0);

  proxy.speak();
  await expect.poll(async () => (await read()).status).toBe(200);
  await expect.poll(async () => (await bulk(server, app, 'silent', change)).status).toBe(200);
  await expect.poll(() => ready(server.url)).toBe(200);
  await expect.poll(() => ready(server.adminUrl)).toBe(200);
});
