import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { checkWrites } from '../../src/adapters/prisma/connection/write-check.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import { startLocally } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { asAdmin, aStoreWithApp, bulk, call } from '../support/server.ts';

const PID = compileStatement({ text: 'SELECT pg_backend_pid() AS pid', row: { pid: 'int4' } });

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

const alter = async (setting: string): Promise<void> => {
  const [{ name } = { name: '' }] = await database.query<{ name: string }>('SELECT current_database() AS name');
  await database.query(`SET default_transaction_read_only = off; ALTER DATABASE ${name} ${setting}`);
};

/** Simulates a failover: every connection is opened again, to a server that takes no writes. */
const becomeReadOnly = async (): Promise<void> => {
  await alter('SET default_transaction_read_only = on');
  await database.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
};

afterEach(() => alter('RESET ALL'));
afterAll(() => database.close());

it('every request gets 503 while the database is read-only, /readyz says so, and requests reach the next primary', async () => {
  const server = await startLocally({ databaseUrl: database.url });
  try {
    const app = await aStoreWithApp(server, { products: 1 });
    let tries = 0;
    const write = async () => {
      tries += 1;
      return bulk(server, app, `try-${String(tries)}`, [{ id: app.productIds[0], name: `Try ${String(tries)}` }]);
    };
    const create = () => asAdmin(server, 'POST', '/admin/stores', { domain: `try-${String((tries += 1))}.example` });
    const read = () => call(`${server.url}/apps/catalog/products`, 'GET', app.headers);
    const ready = async (url: string) => (await call(`${url}/readyz`, 'GET')).status;
    expect([await ready(server.url), (await write()).status]).toEqual([200, 200]);

    await becomeReadOnly();
    for (const attempt of [write, write, create, create, read, read]) {
      expect(await attempt()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    }
    await expect.poll(() => ready(server.url)).toBe(503);
    await expect.poll(() => ready(server.adminUrl)).toBe(503);

    // No connection is ended for this: none was kept to the server that was read-only.
    await alter('RESET default_transaction_read_only');
    await expect.poll(async () => (await write()).status).toBe(200);
    await expect.poll(async () => (await create()).status).toBe(201);
    await expect.poll(() => ready(server.url)).toBe(200);
    await expect.poll(() => ready(server.adminUrl)).toBe(200);
  } finally {
    await server.end();
  }
});

const opening = async <T>(work: (opened: Database) => Promise<T>): Promise<T> => {
  const opened = openDatabase({ url: database.url, connections: 2, pipelined: true });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
};

const BECOMES_READ_ONLY = compileStatement({ text: 'SET default_transaction_read_only = on' });
const READ_ONLY = compileStatement({ text: 'SET TRANSACTION READ ONLY' });
const WRITE = compileStatement({ text: 'DELETE FROM stores WHERE false' });

it.each<readonly [string, (opened: Database) => Promise<unknown>]>([
  ['that PostgreSQL says is read-only', (opened) => opened.execute(BECOMES_READ_ONLY)],
  [
    'that refuses a write',
    (opened) =>
      expect(
        opened.transaction(async (sql) => {
          await sql.execute(READ_ONLY);
          await sql.execute(WRITE);
        }),
      ).rejects.toThrow(DatabaseUnavailable),
  ],
])('every connection to a server %s ends once it is idle, so that the next one finds the primary', async (_, happens) => {
  await opening(async (opened) => {
    const pid = async () => (await opened.pipeline.rows(PID))[0]?.pid;
    const before = await pid();
    await happens(opened);
    await expect.poll(pid).not.toBe(before);
  });
});

it('a database that takes writes and has room is ready', async () => {
  await opening(checkWrites);
});

it('a database that is read-only is not ready', async () => {
  await becomeReadOnly();
  await expect(opening(checkWrites)).rejects.toThrow(DatabaseUnavailable);
});

it('a database without room on its disk is not ready', async () => {
  await alter('SET temp_file_limit = 0');
  await expect(opening(checkWrites)).rejects.toThrow(DatabaseUnavailable);
});
