import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { migrate, migrationsCheck } from '../../src/adapters/prisma/connection/migrate.ts';
import { latch } from '../support/latch.ts';
import { anySql, createEmptyDatabase } from '../support/postgres.ts';

const closers: (() => Promise<unknown>)[] = [];
let url: string;
let folder: string;

const open = (): Database => {
  const database = openDatabase({ url });
  closers.unshift(() => database.close());
  return database;
};

beforeEach(async () => {
  const empty = await createEmptyDatabase();
  url = empty.url;
  folder = await mkdtemp(join(tmpdir(), 'tenon-migrations-'));
  await cp('prisma/migrations', folder, { recursive: true });
  closers.push(empty.drop, () => rm(folder, { recursive: true }));
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const add = async (name: string, script: string): Promise<void> => {
  await cp(join(folder, '20261121000000_init'), join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), script);
};

test('a node that waits for one that migrates says which it is, and migrates once it is over', { timeout: 60_000 }, async () => {
  const holder = await open().pool.connect();
  await holder.query("SELECT set_config('application_name', 'the first node', false), pg_advisory_lock(72707369)");
  const waits: string[] = [];
  const heard = latch();
  const migrated = migrate(open(), {
    onWait: (message) => {
      waits.push(message);
      heard.open();
    },
  });
  await heard.opened;
  holder.release(true);
  await migrated;
  expect(waits[0]).toMatch(/^Waiting for the first node from .+, which migrates the database \(backend \d+\)\.$/);
});

test('several nodes that start at the same time apply each migration once', async () => {
  const nodes = [open(), open(), open()];
  const progress: string[] = [];
  await Promise.all(nodes.map((node) => migrate(node, { onProgress: (message) => progress.push(message) })));
  const rows = await anySql(open()).query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM "_prisma_migrations"',
  );
  expect(rows.map((row) => row.migration_name)).toContain('20261121000000_init');
  expect(new Set(rows.map((row) => row.migration_name)).size).toBe(rows.length);
  expect(rows[0]?.checksum).toMatch(/^[0-9a-f]{64}$/);
  expect(progress).toHaveLength(rows.length);
});

test('each migration is recorded as `prisma migrate deploy` records it: the SHA-256 of its file, finished, in one step, without logs', async () => {
  const database = open();
  await migrate(database);
  const names = (await readdir(folder)).filter((name) => name !== 'migration_lock.toml').sort();
  const expected = await Promise.all(
    names.map(async (name) => {
      const file = await readFile(join(folder, name, 'migration.sql'));
      return [name, createHash('sha256').update(file).digest('hex'), true, 1, null, null];
    }),
  );
  const rows = await anySql(database).query<object>(
    `SELECT migration_name, checksum, finished_at >= started_at AS finished, applied_steps_count, logs, rolled_back_at
     FROM "_prisma_migrations" ORDER BY migration_name`,
  );
  expect(rows.map((row) => Object.values(row) as unknown[])).toEqual(expected);
});

test('a database is ready only when every migration is applied', async () => {
  const database = open();
  expect(await migrationsCheck(database)()).toBe(false);
  await migrate(database);
  expect(await migrationsCheck(database)()).toBe(true);
});

test('a migration that changed after it was applied is refused by name', async () => {
  const database = open();
  await add('20270101000000_more', 'CREATE TABLE more (id int)');
  await migrate(database, { folder });
  await writeFile(join(folder, '20270101000000_more', 'migration.sql'), 'CREATE TABLE more (id bigint)');
  await expect(migrate(database, { folder })).rejects.toThrow(/20270101000000_more was changed/);
});

test('a failed migration changes nothing, and is applied after it is fixed', async () => {
  const database = open();
  await add('20270101000000_more', 'CREATE TABLE more (id int); SELECT 1/0;');
  await expect(migrate(database, { folder })).rejects.toThrow(/20270101000000_more failed and was rolled back: division by zero/);
  await writeFile(join(folder, '20270101000000_more', 'migration.sql'), 'CREATE TABLE more (id int)');
  await migrate(database, { folder });
  expect(await anySql(database).query('SELECT id FROM more')).toEqual([]);
});

test('a migration that another tool left unfinished stops the start', async () => {
  const database = open();
  await migrate(database);
  await anySql(database).query(`UPDATE "_prisma_migrations" SET finished_at = NULL`);
  await expect(migrate(database)).rejects.toThrow(/failed earlier/);
  expect(await migrationsCheck(database)()).toBe(false);
});

test('the migration files are read once, because anyone may request /readyz at any rate', async () => {
  const database = open();
  await migrate(database, { folder });
  const check = migrationsCheck(database, folder);
  expect(await check()).toBe(true);
  await add('29990101000000_later', 'SELECT 1');
  expect(await check()).toBe(true);
  expect(await migrationsCheck(database, folder)()).toBe(false);
});

test('a migration gives way to those who use its table, and is applied once they have ended', async () => {
  const database = open();
  const sql = anySql(database);
  await migrate(database, { folder });
  await sql.query('CREATE TABLE used (id int)');
  await add('20270101000000_more', 'ALTER TABLE used ADD COLUMN name text');
  const other = await open().pool.connect();
  await other.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SELECT FROM used`);
  const waits: string[] = [];
  const heard = latch();
  const migrated = migrate(open(), {
    folder,
    onWait: (message) => {
      waits.push(message);
      heard.open();
    },
  });
  const over = new AbortController();
  const writing = (async () => {
    // Each waits behind the migration, which waits for the transaction above.
    while (!over.signal.aborted) await sql.query(`SET lock_timeout = '5s'; INSERT INTO used VALUES (1)`);
  })();
  await Promise.race([heard.opened, writing]);
  expect(waits[0]).toMatch(
    /^Migration 20270101000000_more waits for a table that others use\. The oldest transaction is that of tenon from .+ \(backend \d+\)\.$/,
  );
  over.abort();
  await writing;
  await other.query('COMMIT');
  other.release(true);
  await migrated;
  expect((await sql.query('SELECT name FROM used LIMIT 1')).length).toBe(1);
});

test('events that were fanned out before the feed get their places in the order of their times', async () => {
  const database = open();
  const sql = anySql(database);
  const later = (await readdir(folder)).filter((name) => name >= '20261122200000' && name !== 'migration_lock.toml');
  for (const name of later) await rm(join(folder, name), { recursive: true });
  await migrate(database, { folder });
  const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  const event = (n: number) => `00000000-0000-4000-9000-00000000000${n}`;
  const types = ['order.paid', 'order.paid', 'ping', 'order.shipped', 'order.created'];
  for (const id of [first, second]) {
    await sql.query(`INSERT INTO stores (id, domain, name, currency) VALUES ('${id}', '${id}.test', 'S', 'EUR')`);
    for (const [n, type] of types.entries())
      await sql.query(
        `INSERT INTO events (id, store_id, type, body, created_at) VALUES ('${event(n)}', '${id}', '${type}', '{}', now() - interval '${n} hours')`,
      );
    await sql.query(`INSERT INTO pending_events (store_id, event_id) VALUES ('${id}', '${event(0)}')`);
  }
  await migrate(database);
  for (const id of [first, second]) {
    const places = await sql.query<{ position: string; event_id: string }>(
      `SELECT position, event_id FROM feed WHERE store_id = '${id}' ORDER BY position`,
    );
    expect(places).toEqual([4, 3, 1].map((n, at) => ({ position: String(at + 1), event_id: event(n) })));
    expect(await sql.query(`SELECT head, tail FROM feed_heads WHERE store_id = '${id}'`)).toEqual([{ head: '3', tail: '0' }]);
    expect(await sql.query(`SELECT event_id FROM pending_events WHERE store_id = '${id}'`)).toEqual([{ event_id: event(0) }]);
  }
});
