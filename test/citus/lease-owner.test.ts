import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Sql } from '../../src/adapters/prisma/connection/sql.ts';
import { createWorkLeases } from '../../src/adapters/prisma/work/work-lease.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { onOwnSession } from '../support/own-session.ts';

const STORE = '11111111-1111-4111-8111-111111111111';
const APP = { storeId: STORE, id: '22222222-2222-4222-8222-222222222222' };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.query(`INSERT INTO stores (id, domain, name, currency) VALUES ('${STORE}', 'x', 'x', 'EUR')`);
  await database.query(
    `INSERT INTO installations (id, store_id, name, client_id, scopes) VALUES ('${APP.id}', '${STORE}', 'x', 'x', '{}')`,
  );
});
afterAll(() => database.close());

/** Counts leases, which are numbers of 64 bits (objsubid 1). Citus takes advisory locks of its own kinds. */
const locks = async (): Promise<number> =>
  (
    await database.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  ).length;

/** The leases of a process whose reads of the owner go through `before`. */
const leasesWith = (before: () => Promise<void>) => {
  const rows: Sql['rows'] = async (...query) => {
    await before();
    return database.rows(...query);
  };
  return onOwnSession(database.url, (session) => createWorkLeases({ session, sql: { ...database, rows } }));
};

it('reads whose work it is behind the lock, and so not while another process has it', async () => {
  const reads: number[] = [];
  const before = async () => void reads.push(await locks());
  const [first, second] = [leasesWith(before), leasesWith(before)];
  expect(await first.acquire('imports', APP)).not.toBeNull();
  expect(await second.acquire('imports', APP)).toBeNull();
  expect(reads).toEqual([1]);
  await first.close();
  await second.close();
});

it('gives the lock back when that read fails', async () => {
  const leases = leasesWith(() => Promise.reject(new Error('The worker is away.')));
  await expect(leases.acquire('imports', APP)).rejects.toThrow('The worker is away.');
  expect(await locks()).toBe(0);
  await leases.close();
});
