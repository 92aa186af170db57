import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, startProcess, type StoreWithApp } from '../support/server.ts';
import { contentsOf, ofStores } from '../support/tables.ts';
import { runTenonCommand } from '../support/tenon-command.ts';
import { payMany, subscribeMerchant } from '../support/webhooks.ts';

/** Where the process dies: at the first table, at large ones, and at the last one with rows. */
const TABLES = ['stores', 'products', 'events', 'delivery_figures'];
const PAUSE = 4_711;

let folder: string;
let source: TestDatabase;
let stores: [StoreWithApp, StoreWithApp];
const files = { backup: '', first: '', second: '' };

const run = (args: readonly string[], database: { url: string }) => {
  const env = { DATABASE_URL: database.url, MEDIA_STORAGE: join(folder, 'media') };
  return runTenonCommand(args, env);
};

const succeed = async (args: readonly string[], database: { url: string }): Promise<void> => {
  const { status, said } = await run(args, database).ended;
  expect(status, said).toBe(0);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-restore-kills-'));
  source = await openTestDatabase();
  const server = await startProcess({ databaseUrl: source.url });
  const aStore = async (): Promise<StoreWithApp> => {
    const app = await aStoreWithApp(server, { products: 500 });
    await subscribeMerchant(server, app.storeId, 'http://127.0.0.1:9/hook', 'order.paid');
    await bulk(server, app, 'a-key', [{ id: app.productIds[0], name: 'Other' }]);
    await payMany(server, app.storeId, 50);
    return app;
  };
  stores = [await aStore(), await aStore()];
  // The figures of attempts are the last table with rows.
  await vi.waitFor(async () => expect((await contentsOf(source))['delivery_figures']?.rows).toBeGreaterThan(1), 60_000);
  await server.end();
  for (const name of ['backup', 'first', 'second'] as const) files[name] = join(folder, name);
  await succeed(['backup', files.backup], source);
  await succeed(['store', 'export', stores[0].storeId, files.first], source);
  await succeed(['store', 'export', stores[1].storeId, files.second], source);
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true });
});

/** Kills the command while the server has taken rows of the table and none of the rows after them. */
const killAt = async (table: string, args: readonly string[], target: TestDatabase) => {
  await target.query(
    `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(${PAUSE}); RETURN new; END'`,
  );
  await target.query(`CREATE TRIGGER pause BEFORE INSERT ON "${table}" FOR EACH ROW EXECUTE FUNCTION pause()`);
  const holder = new pg.Client({ connectionString: target.url });
  await holder.connect();
  await holder.query(`SELECT pg_advisory_lock(${PAUSE})`);
  const command = run(args, target);
  try {
    await vi.waitFor(
      async () => {
        const waiting = await target.query<{ query: string }>(
          `SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query ~ $1`,
          // An import judges staged rows first, and then inserts them.
          [`^(COPY "${table}"|INSERT INTO ${table} )`],
        );
        expect(waiting).toHaveLength(1);
      },
      { timeout: 60_000, interval: 20 },
    );
    command.child.kill('SIGKILL');
    const { signal } = await command.ended;
    expect(signal).toBe('SIGKILL');
  } finally {
    await holder.end();
  }
  // The session of the killed restore notices, and rolls back.
  await vi.waitFor(
    async () => {
      const query = `SELECT FROM pg_stat_activity WHERE application_name = 'tenon backup' AND datname = current_database()`;
      expect(await target.query(query)).toEqual([]);
    },
    { timeout: 60_000, interval: 20 },
  );
  await target.query('DROP FUNCTION pause CASCADE');
};

describe('kill -9 in the middle of', () => {
  it.each(TABLES)('a restore, at the rows of %s: nothing is restored, and the next one restores all', async (table) => {
    const target = await openTestDatabase();
    try {
      const before = await contentsOf(target);
      await killAt(table, ['restore', files.backup], target);
      expect(await contentsOf(target)).toEqual(before);
      await succeed(['restore', files.backup], target);
      expect(await contentsOf(target)).toEqual(await contentsOf(source));
    } finally {
      await target.close();
    }
  });
  it.each(TABLES)(
    'an import of a store, at the rows of %s: the other store is as before, and the next one imports all',
    async (table) => {
      const target = await openTestDatabase();
      try {
        await succeed(['store', 'import', files.first], target);
        const before = await contentsOf(target);
        await killAt(table, ['store', 'import', files.second], target);
        expect(await contentsOf(target)).toEqual(before);
        await succeed(['store', 'import', files.second], target);
        expect(await contentsOf(target)).toEqual(await contentsOf(source, ofStores));
      } finally {
        await target.close();
      }
    },
  );
});
