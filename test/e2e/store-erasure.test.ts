import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { NO_OPTIONS } from '../../src/domain/webhooks/subscription-options.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { openMediaStorage } from '../../src/adapters/outgoing/media/media-storage.ts';
import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import { eraseStores } from '../../src/application/identity/erase-store.ts';
import { INVARIANTS, type InvariantName } from '../../src/domain/insight/invariants.ts';
import { mediaKey } from '../../src/domain/media/media-file.ts';
import type { MediaStorage } from '../../src/domain/ports/media/media-storage.ts';
import { fillTables, prepareTables } from '../support/filled-tables.ts';
import { awaitLockWaits, lockWaits } from '../support/lock-waits.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

/** Rows of each table, for all stores. */
const ROWS = 4_000;
const STORE = '00000000-0000-7000-8000-000000000004';
const OTHER = '00000000-0000-7000-8000-000000000003';
const FILES = 7;

/** By which column a table without a store names it, and where the ids of the store are. */
const BY = { installation_id: 'installations', delivery_id: 'deliveries', import_id: 'media_imports' } as const;

const portsOf = (on: Database) =>
  createPrismaPorts(on, { clock: manualClock(), ids: sequentialIds(), idempotencyTtlSeconds: 60, erasureSettlesSeconds: 0 });

let database: TestDatabase;
let otherNode: Database;
let directory: string;
let mediaStorage: MediaStorage;
/** The ids of the store and of what belongs to it, by the column that names them. */
let ids: Record<string, readonly string[]>;
let columns: readonly { readonly table: string; readonly column: string }[];

const sumsOf = async (condition: (table: string) => string): Promise<Record<string, string>> => {
  const sums: Record<string, string> = {};
  for (const table of new Set(columns.map((row) => row.table))) {
    const [row] = await database.query<{ sum: string }>(
      `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum FROM ${table} t WHERE ${condition(table)}`,
    );
    sums[table] = row?.sum ?? '';
  }
  return sums;
};
const namesStore = (table: string): string =>
  columns
    .filter((row) => row.table === table)
    .map(({ column }) => `coalesce(${column} = ANY ('{${(ids[column] ?? []).join()}}'), false)`)
    .join(' OR ');

const aFile = async (storeId: string, number: number): Promise<string> => {
  const key = mediaKey({ storeId, sha256: String(number).padStart(64, '0'), extension: 'png' });
  const path = join(directory, 'incoming');
  await writeFile(path, 'x');
  await mediaStorage.put(key, path, 'image/png');
  await portsOf(database).mediaFiles.announce({ storeId, key, contentType: 'image/png', sizeBytes: 1, width: 1, height: 1 });
  return key;
};

beforeAll(async () => {
  database = await openTestDatabase();
  otherNode = openDatabase({ url: database.url, connections: 2 });
  directory = await mkdtemp(join(tmpdir(), 'tenon-erasure-'));
  mediaStorage = await openMediaStorage({ directory: join(directory, 'media') }, 'none');
  await prepareTables(database);
  await fillTables(database, ROWS);
  await database.query('TRUNCATE store_erasures, media_files');
  // Each table that has rows of a store says so by one of these columns. Other tables are of no store.
  columns = await database.query<{ table: string; column: string }>(
    `SELECT c.table_name::text AS table, c.column_name::text AS column FROM information_schema.columns c
     WHERE c.table_schema = 'public' AND (c.column_name IN ('store_id', ${Object.keys(BY)
       .map((name) => `'${name}'`)
       .join()}) OR (c.table_name = 'stores' AND c.column_name = 'id'))`,
  );
  ids = { store_id: [STORE], id: [STORE] };
  for (const [column, table] of Object.entries(BY)) {
    const rows = await database.query<{ id: string }>(`SELECT id::text FROM ${table} WHERE store_id = $1`, [STORE]);
    ids[column] = rows.map(({ id }) => id);
  }
});
afterAll(async () => {
  await mediaStorage.close();
  await rm(directory, { recursive: true });
  await otherNode.close();
  await database.close();
});

it('erases every row and file of the store, also when a node dies within a batch, and nothing of others', async () => {
  const ports = portsOf(database);
  for (let number = 0; number < FILES; number += 1) await aFile(STORE, number);
  const theirs = await aFile(OTHER, 1);
  // The queue is there until its ending is written.
  await database.query(
    'DELETE FROM subscriptions WHERE id = (SELECT subscription_id FROM delivery_endings WHERE store_id = $1 LIMIT 1)',
    [STORE],
  );
  const own = await sumsOf(namesStore);
  expect(Object.entries(own).filter(([, sum]) => sum === '0 0')).toEqual([['store_erasures', '0 0']]);
  const others = await sumsOf((table) => `NOT (${namesStore(table)})`);

  expect(await ports.storeErasure.accept(STORE, 'text 4')).toMatchObject({ storeId: STORE });
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM products WHERE store_id = $1 ORDER BY id DESC LIMIT 1 FOR UPDATE', [STORE]);
  const died = expect(portsOf(otherNode).storeErasure.eraseRows(1_000_000)).rejects.toThrow();
  const waiting = async () => (await lockWaits(database)).filter(({ query }) => query.includes('DELETE FROM products'));
  await expect.poll(async () => (await waiting()).length).toBe(1);
  await database.query('SELECT pg_terminate_backend($1::int)', [(await waiting())[0]?.pid]);
  await died;
  await holder.query('ROLLBACK');
  holder.release();
  // The deleted rows are there again: no row is lost without its batch.
  expect((await sumsOf(namesStore))['delivery_attempts']).toBe(own['delivery_attempts']);

  const erase = eraseStores({ ...ports, mediaStorage });
  while ((await ports.storeErasure.open()).length > 0) expect(await erase(500)).toBeLessThanOrEqual(500 + FILES);
  expect(new Set(Object.values(await sumsOf(namesStore)))).toEqual(new Set(['0 0']));
  expect(await sumsOf((table) => `NOT (${namesStore(table)})`)).toEqual(others);
  expect(await readdir(join(directory, 'media', STORE))).toEqual([]);
  expect(await mediaStorage.size(theirs)).toBe(1);
});

it('refusals that are written while their store is erased come before its end, or not at all', async () => {
  const whole = await openTestDatabase();
  const holder = await whole.pool.connect();
  try {
    const ports = portsOf(whole);
    const storeId = '00000000-0000-4000-8000-000000000001';
    await ports.stores.create({ id: storeId, domain: 'late.test', name: 'S', currency: 'EUR' });
    await holder.query('BEGIN');
    await holder.query('DELETE FROM stores WHERE id = $1', [storeId]);
    const id = '00000000-0000-4000-8000-000000000002';
    const refusal = {
      id,
      at: 0,
      route: 'GET /',
      status: 403,
      code: null,
      reason: 'r',
      check: 'scope',
      storeId,
      host: 'late.test',
    } as const;
    const written = ports.requestLog.write([{ ...refusal, installationId: null, durationMs: 1, leftOut: 0 }]);
    await awaitLockWaits(whole);
    await holder.query('COMMIT');
    await written;
    expect(await whole.query('SELECT store_id FROM request_log UNION ALL SELECT store_id FROM refusal_figures')).toEqual([]);
  } finally {
    holder.release();
    await whole.close();
  }
});

it('violates no invariant while a part of the store is erased', async () => {
  const whole = await openTestDatabase();
  try {
    const ports = portsOf(whole);
    const storeId = '00000000-0000-4000-8000-000000000001';
    await ports.stores.create({ id: storeId, domain: 'part.test', name: 'S', currency: 'EUR' });
    const subscription = { id: '00000000-0000-4000-8000-000000000002', storeId, installationId: null, signingSecret: 'sealed' };
    await ports.subscriptions.create({
      ...subscription,
      url: 'https://x.test',
      description: null,
      eventTypes: ['order.paid'],
      ...NO_OPTIONS,
    });
    const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
    await ports.transaction.run(null, (tx) => tx.events.append(Array.from({ length: 30 }, () => event)));
    await ports.deliveries.fanOut(storeId, 20);
    await ports.storeErasure.accept(storeId, 'part.test');
    let batches = 0;
    while ((await ports.storeErasure.open()).length > 0) {
      await ports.storeErasure.eraseRows(3);
      batches += 1;
      for (const name of Object.keys(INVARIANTS) as InvariantName[]) {
        expect([name, (await ports.invariants.check(name, 1_000, 550))?.examples]).toEqual([name, []]);
      }
    }
    expect(batches).toBeGreaterThan(20);
  } finally {
    await whole.close();
  }
});
