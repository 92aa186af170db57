import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { conditionOf } from '../../src/adapters/prisma/archive/tables.ts';
import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { backup } from '../../src/adapters/wiring/archive/backup.ts';
import { importStore, restore } from '../../src/adapters/wiring/archive/restore.ts';
import { configOf } from '../support/app.ts';
import { startLocally } from '../support/local-server.ts';
import { anySql, createEmptyDatabase, openTestDatabase, type AnySql, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, SETTINGS, type StoreWithApp } from '../support/server.ts';
import { contentsOf, ofStores } from '../support/tables.ts';
import { pay, subscribe } from '../support/webhooks.ts';

let folder: string;
let source: TestDatabase;
let [first, second]: [StoreWithApp, StoreWithApp] = [] as never;
let files = 0;

const settingsOf = (url: string) => ({
  ...configOf({ ...SETTINGS, MEDIA_STORAGE: join(folder, 'media') }),
  DATABASE_URL: url,
});
const archived = async (url: string, store?: string): Promise<string> => {
  const file = join(folder, `${String((files += 1))}.backup`);
  await backup(settingsOf(url), { file, ...(store !== undefined && { store }) });
  return file;
};

/** A PostgreSQL without Citus, for as long as the work takes. */
const onPlain = async (work: (database: Database & AnySql, url: string) => Promise<void>): Promise<void> => {
  const { url, drop } = await createEmptyDatabase();
  const database = openDatabase({ url });
  try {
    expect(await database.spreadsStores()).toBe(false);
    await work({ ...database, ...anySql(database) }, url);
  } finally {
    await database.close();
    await drop();
  }
};

const onCitus = async (work: (database: TestDatabase) => Promise<void>): Promise<void> => {
  const database = await openTestDatabase();
  try {
    expect(await database.spreadsStores()).toBe(true);
    await work(database);
  } finally {
    await database.close();
  }
};

const NEXT_EVENT = `
  INSERT INTO events (id, store_id, type, body, created_at) SELECT gen_random_uuid(), $1, 'product.updated', '{}', now() RETURNING id`;
const PENDING = `INSERT INTO pending_events (store_id, event_id) VALUES ($1, $2)`;
const LAST = 'SELECT event_id AS id FROM pending_events WHERE store_id = $1 ORDER BY seq DESC LIMIT 1';

/** An event that is written now comes behind those that were restored. */
const expectNextIsLast = async (sql: AnySql, { storeId }: StoreWithApp): Promise<void> => {
  const [next] = await sql.query<{ id: string }>(NEXT_EVENT, [storeId]);
  await sql.query(PENDING, [storeId, next?.id]);
  expect(await sql.query(LAST, [storeId])).toEqual([next]);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-citus-archive-'));
  source = await openTestDatabase();
  const server = await startLocally({
    databaseUrl: source.url,
    env: { ROLE: 'api', MEDIA_STORAGE: join(folder, 'media') },
  });
  const aStore = async (): Promise<StoreWithApp> => {
    const app = await aStoreWithApp(server, { scopes: ['write_products', 'write_webhooks', 'read_orders'], products: 3 });
    await subscribe(server, app, 'http://127.0.0.1:9/hook', 'product.updated');
    await bulk(server, app, 'a-key', [{ id: app.productIds[0], name: 'Tab\t, newline\n and ärger' }]);
    await pay(server, app.storeId);
    return app;
  };
  [first, second] = [await aStore(), await aStore()];
  await server.end();
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true });
});

it('a backup of a Citus cluster is restored into another Citus cluster', async () => {
  const file = await archived(source.url);
  await onCitus(async (target) => {
    await restore(settingsOf(target.url), { file });
    const contents = await contentsOf(target);
    expect(contents).toEqual(await contentsOf(source));
    expect(contents['pending_events']?.rows).toBeGreaterThan(0);
    await expectNextIsLast(target, first);
  });
});

it('a backup of a Citus cluster is restored into one PostgreSQL, and back', async () => {
  const file = await archived(source.url);
  await onPlain(async (plain, url) => {
    await restore(settingsOf(url), { file });
    const contents = await contentsOf(plain);
    expect(contents).toEqual(await contentsOf(source));
    await expectNextIsLast(plain, first);
    const back = await archived(url);
    await onCitus(async (target) => {
      await restore(settingsOf(target.url), { file: back });
      expect(await contentsOf(target)).toEqual(await contentsOf(plain));
      await expectNextIsLast(target, first);
    });
  });
});

it('a store moves from a Citus cluster to one PostgreSQL, and back beside another store', async () => {
  const file = await archived(source.url, second.storeId);
  const theirs = (table: string): string => conditionOf(table, second.storeId);
  await onPlain(async (plain, url) => {
    await migrate(plain);
    await importStore(settingsOf(url), { file });
    expect(await contentsOf(plain)).toEqual(await contentsOf(source, theirs));
    await onCitus(async (target) => {
      for (const archive of [await archived(source.url, first.storeId), await archived(url, second.storeId)])
        await importStore(settingsOf(target.url), { file: archive });
      expect(await contentsOf(target)).toEqual(await contentsOf(source, ofStores));
    });
  });
});
