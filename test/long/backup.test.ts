import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openArchive } from '../../src/adapters/archive/read-archive.ts';
import { createArchive } from '../../src/adapters/archive/write-archive.ts';
import { createLogger } from '../../src/adapters/node/logger.ts';
import { parseSecretKeys } from '../../src/adapters/startup/secret-keys.ts';
import { BACKED_UP, conditionOf, DRAWN, LEFT_OUT } from '../../src/adapters/prisma/archive/tables.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate, migrationsCheck } from '../../src/adapters/prisma/connection/migrate.ts';
import { FOLDER } from '../../src/adapters/prisma/connection/migrations.ts';
import { backup, type BackupSettings } from '../../src/adapters/wiring/archive/backup.ts';
import { importStore, restore } from '../../src/adapters/wiring/archive/restore.ts';
import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import { startServer, type Server } from '../../src/adapters/wiring/serve/server.ts';
import { anySql, createEmptyDatabase, openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, SETTINGS, type StoreWithApp } from '../support/server.ts';
import { contentsOf, ofStores } from '../support/tables.ts';
import { pay, subscribe, subscribeMerchant } from '../support/webhooks.ts';

let folder: string;
let database: TestDatabase;
let server: Server & { url: string };
let [first, second]: [StoreWithApp, StoreWithApp] = [] as never;
let config: Config;
let whole: string;
let files = 0;

const aFile = (): string => join(folder, `${String((files += 1))}.backup`);
const settingsOf = (url: string, more: Partial<BackupSettings> = {}): BackupSettings => ({
  ...config,
  DATABASE_URL: url,
  ...more,
});

const aStore = async (): Promise<StoreWithApp> => {
  const scopes = ['write_products', 'write_webhooks', 'read_orders'];
  const app = await aStoreWithApp(server, { scopes, products: 3 });
  await subscribe(server, app, 'http://127.0.0.1:9/hook', 'product.updated');
  await subscribeMerchant(server, app.storeId, 'http://127.0.0.1:9/hook', 'order.paid');
  await bulk(server, app, 'a-key', [{ id: app.productIds[0], name: 'Tab\t, newline\n, backslash \\N and ärger' }]);
  await pay(server, app.storeId);
  return app;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-backup-'));
  database = await openTestDatabase();
  const parsed = parseConfig({ ...SETTINGS, ROLE: 'api', LOG_LEVEL: 'silent', MEDIA_STORAGE: join(folder, 'media') });
  if (!parsed.ok) throw new Error(parsed.message);
  config = parsed.value as Config;
  const started = await startServer(config, database.url, createLogger('silent'));
  server = { ...started, url: started.url ?? '' };
  [first, second] = [await aStore(), await aStore()];
  await server.stop();
  whole = aFile();
  await backup(settingsOf(database.url), { file: whole });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** Returns the refusal of a restore or an import, and requires an unchanged database. */
const refused = async (work: (settings: BackupSettings) => Promise<unknown>, more: Partial<BackupSettings> = {}) => {
  const target = await openTestDatabase();
  try {
    const before = await contentsOf(target);
    const message = await work(settingsOf(target.url, more)).then(
      () => 'accepted',
      (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
    );
    return { message, isUnchanged: JSON.stringify(await contentsOf(target)) === JSON.stringify(before) };
  } finally {
    await target.close();
  }
};

const because = (part: string) => ({
  message: expect.stringMatching(new RegExp(`^StartFailure: .*${part}[^\\n]*$`)) as string,
  isUnchanged: true,
});

/** The migrations of a version whose rows do not all name their store. */
const olderMigrations = async (): Promise<string> => {
  const older = join(folder, `${String((files += 1))}.migrations`);
  const isOlder = (path: string): boolean => !/^\d{14}_/.test(basename(path)) || basename(path) < '20261124130000';
  await cp(FOLDER, older, { recursive: true, filter: isOlder });
  return older;
};

describe('the tables of the schema', () => {
  it('are all backed up, or left out for a reason', async () => {
    const rows = await database.query<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
    expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(BACKED_UP), ...Object.keys(LEFT_OUT)].sort());
  });
  it('are written after those that their foreign keys refer to', async () => {
    const keys = await database.query<{ one: string; other: string }>(
      `SELECT conrelid::regclass::text AS one, confrelid::regclass::text AS other FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid`,
    );
    const order = Object.keys(BACKED_UP);
    const wrong = keys.filter(({ one, other }) => order.includes(one) && order.indexOf(one) < order.indexOf(other));
    expect(wrong).toEqual([]);
    expect(keys.length).toBeGreaterThan(20);
  });
  it('have no other columns of numbers that the server draws than those that an import draws again', async () => {
    const drawn = await database.query<{ name: string; column: string }>(
      `SELECT table_name AS name, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND (column_default LIKE 'nextval(%' OR is_identity = 'YES')`,
    );
    const backedUp = drawn.filter(({ name }) => Object.hasOwn(BACKED_UP, name));
    expect(Object.fromEntries(backedUp.map(({ name, column }) => [name, column]))).toEqual(DRAWN);
  });
});

describe('a restore', () => {
  it('brings every row of the backup into a database without tables', async () => {
    const target = await createEmptyDatabase();
    const restored = openDatabase({ url: target.url });
    try {
      const report = await restore(settingsOf(target.url), { file: whole });
      const contents = await contentsOf(anySql(restored));
      expect(contents).toEqual(await contentsOf(database));
      expect(report.rows).toBe(Object.values(contents).reduce((sum, { rows }) => sum + rows, 0));
      expect(contents['pending_events']?.rows).toBeGreaterThan(0);
      // The next event comes after those that wait.
      const last = `SELECT last_value::int AS last FROM pending_events_seq_seq`;
      expect(await anySql(restored).query(last)).toEqual(await database.query(last));
    } finally {
      await restored.close();
      await target.drop();
    }
  });
  it('brings them into a migrated database without rows', async () => {
    const target = await openTestDatabase();
    await restore(settingsOf(target.url), { file: whole });
    expect(await contentsOf(target)).toEqual(await contentsOf(database));
    await target.close();
  });
  it('of an older version applies the migrations that came after it', async () => {
    const [older, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
    const [from, to] = [openDatabase({ url: older.url }), openDatabase({ url: target.url })];
    try {
      await migrate(from, { folder: await olderMigrations() });
      await anySql(from).query(
        `INSERT INTO stores (id, domain, name, currency) VALUES (gen_random_uuid(), 'old.test', 'S', 'EUR')`,
      );
      const file = aFile();
      await backup(settingsOf(older.url), { file });
      await restore(settingsOf(target.url), { file });
      expect(await migrationsCheck(from)()).toBe(false);
      expect(await migrationsCheck(to)()).toBe(true);
      // With the columns that came since.
      expect(await anySql(to).query('SELECT * FROM stores')).toMatchObject(await anySql(from).query('SELECT * FROM stores'));
      // The database of another version, though it has no rows.
      await anySql(to).query('TRUNCATE stores CASCADE');
      await expect(restore(settingsOf(target.url), { file })).rejects.toThrow('has the tables of another version');
    } finally {
      await Promise.all([from.close(), to.close()]);
      await Promise.all([older.drop(), target.drop()]);
    }
  });
  it('is refused when a newer version wrote the backup', async () => {
    const archive = await openArchive(whole);
    await archive.close();
    const newer = { name: '29990101000000_newer', checksum: '0'.repeat(64) };
    const file = aFile();
    const { tables, ...manifest } = archive.manifest;
    const writer = await createArchive(file, { ...manifest, tables: [], migrations: [...manifest.migrations, newer] });
    await writer.finish();
    expect(tables.length).toBeGreaterThan(0);
    expect(await refused((settings) => restore(settings, { file }))).toEqual(because('the migration 29990101000000_newer'));
  });
  it('that is interrupted changes nothing, and neither does a backup', async () => {
    const signal = AbortSignal.abort('SIGINT');
    const file = aFile();
    await expect(backup(settingsOf(database.url), { file, signal })).rejects.toBe('SIGINT');
    expect((await readdir(folder)).filter((name) => join(folder, name).startsWith(file))).toEqual([]);
    expect((await refused((settings) => restore(settings, { file: whole, signal }))).isUnchanged).toBe(true);
  });
  it('is refused by a database that has rows', async () => {
    const before = await contentsOf(database);
    await expect(restore(settingsOf(database.url), { file: whole })).rejects.toThrow(
      'The database is not empty: stores has rows',
    );
    expect(await contentsOf(database)).toEqual(before);
  });
  it('is refused without the keys that its secrets need', async () => {
    const other = parseSecretKeys(`k1:${Buffer.alloc(32, 8).toString('base64')}`);
    expect(await refused((settings) => restore(settings, { file: whole }), { SECRET_KEYS: other })).toEqual(
      because('the key k1'),
    );
  });
  it('is refused when the file is damaged, and changes nothing', async () => {
    const bytes = await readFile(whole);
    const file = aFile();
    await writeFile(file, bytes.subarray(0, bytes.length / 2));
    expect(await refused((settings) => restore(settings, { file }))).toEqual(because('is damaged or incomplete'));
  });
  it('is refused for the export of one store', async () => {
    const file = aFile();
    await backup(settingsOf(database.url), { file, store: first.domain });
    expect(await refused((settings) => restore(settings, { file }))).toEqual(because('has one store only'));
  });
});

describe('the export of a store', () => {
  it('has the rows of the store and no other, and is imported with its ids', async () => {
    const file = aFile();
    await backup(settingsOf(database.url), { file, store: second.storeId });
    const target = await openTestDatabase();
    try {
      await importStore(settingsOf(target.url), { file });
      expect(await contentsOf(target)).toEqual(await contentsOf(database, (table) => conditionOf(table, second.storeId)));
      // Beside another store.
      const other = aFile();
      await backup(settingsOf(database.url), { file: other, store: first.storeId });
      await importStore(settingsOf(target.url), { file: other });
      expect(await contentsOf(target)).toEqual(await contentsOf(database, ofStores));
      // A second time.
      await expect(importStore(settingsOf(target.url), { file })).rejects.toThrow('has a store with the id or the domain');
      expect(await contentsOf(target)).toEqual(await contentsOf(database, ofStores));
    } finally {
      await target.close();
    }
  });
  it.each([
    ['behind', 1],
    ['further', 1_000_000],
  ])('leaves the numbers of events to a server that is %s: its events draw the next ones, in their order', async (_is, last) => {
    const file = aFile();
    await backup(settingsOf(database.url), { file, store: first.storeId });
    const waiting = (sql: TestDatabase) =>
      sql.query<{ id: string; seq: number }>(
        'SELECT event_id AS id, seq::int AS seq FROM pending_events WHERE store_id = $1 ORDER BY seq',
        [first.storeId],
      );
    const target = await openTestDatabase();
    try {
      await target.query(`SELECT setval('pending_events_seq_seq', $1)`, [last]);
      await importStore(settingsOf(target.url), { file });
      const [before, after] = [await waiting(database), await waiting(target)];
      expect(before.length).toBeGreaterThan(1);
      expect(after).toEqual(before.map(({ id }, n) => ({ id, seq: last + 1 + n })));
      const [next] = await target.query(`SELECT nextval('pending_events_seq_seq')::int AS seq`);
      expect(next).toEqual({ seq: last + 1 + before.length });
    } finally {
      await target.close();
    }
  });
  it('is refused when one of its ids exists', async () => {
    const file = aFile();
    await backup(settingsOf(database.url), { file, store: second.storeId });
    const importAfter = (sql: string) =>
      refused(async (settings) => {
        const target = openDatabase({ url: settings.DATABASE_URL ?? '' });
        try {
          await anySql(target).query(
            `INSERT INTO stores (id, domain, name, currency) VALUES (gen_random_uuid(), 'else.test', 'S', 'EUR')`,
          );
          await anySql(target).query(sql, [second.installationId]);
          const before = await contentsOf(anySql(target));
          // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
          await importStore(settings, { file }).finally(async () => {
            expect(await contentsOf(anySql(target))).toEqual(before);
          });
        } finally {
          await target.close();
        }
      });
    const taken = `INSERT INTO installations (id, store_id, name, client_id, scopes) SELECT $1, id, 'A', 'c', '{}' FROM stores`;
    expect((await importAfter(taken)).message).toMatch(/rows of installations with ids that this database has already/);
  });
  it('is refused for a backup of all stores', async () => {
    expect(await refused((settings) => importStore(settings, { file: whole }))).toEqual(because('is a backup of all stores'));
  });
  it('is refused for a database of a version whose rows do not name their store', async () => {
    const older = await createEmptyDatabase();
    const from = openDatabase({ url: older.url });
    try {
      await migrate(from, { folder: await olderMigrations() });
      await anySql(from).query(
        `INSERT INTO stores (id, domain, name, currency) VALUES (gen_random_uuid(), 'old.test', 'S', 'EUR')`,
      );
      await backup(settingsOf(older.url), { file: aFile() });
      await expect(backup(settingsOf(older.url), { file: aFile(), store: 'old.test' })).rejects.toThrow(
        'This database is of an older version.',
      );
    } finally {
      await from.close();
      await older.drop();
    }
  });
  it('is refused for a store that does not exist', async () => {
    await expect(backup(settingsOf(database.url), { file: aFile(), store: 'nobody.test' })).rejects.toThrow(
      'There is no store with the id or the domain nobody.test',
    );
  });
});
