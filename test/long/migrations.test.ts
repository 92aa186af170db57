import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { migrate, migrateRest, migrationsCheck } from '../../src/adapters/prisma/connection/migrate.ts';
import { besideOlder, outsideTransaction, type Migration } from '../../src/adapters/prisma/connection/migrations.ts';
import { audienceOf } from '../../src/adapters/prisma/webhooks/feed/audience.ts';
import { anySql } from '../support/postgres.ts';
import { hasCommit, migrationsSince, RELEASES } from '../support/releases.ts';
import { eventually } from '../support/eventually.ts';
import { openUpgrade, PATIENCE_MS, stop, type Upgrade } from '../support/upgrade.ts';
import type { UpgradeTraffic } from '../support/upgrade-traffic.ts';

/** Timeout for every statement of the nodes: a longer wait fails, and its request is answered with 503. */
const LOCK_TIMEOUT = '5s';
const MIGRATING = 'tenon migrating';

interface Addition {
  /** The migration that adds something to rows that exist, and the one that has filled them. */
  readonly adds: string;
  readonly filled: string;
  /** The rows that lack it. There are none from then on, also after nodes of the version before have written more. */
  readonly lacking: string;
}

const withoutStore = (table: string, owner: string, key: string): string =>
  `SELECT '${table}' FROM ${table} t JOIN ${owner} o ON o.id = t.${key} WHERE t.store_id IS DISTINCT FROM o.store_id`;

const ADDITIONS: readonly Addition[] = [
  {
    adds: '20261124040000_epochs',
    filled: '20261124040000_epochs',
    lacking: 'SELECT store_id FROM feed_heads h WHERE NOT EXISTS (SELECT FROM feed_epochs e WHERE e.store_id = h.store_id)',
  },
  {
    adds: '20261124060000_first_cursors',
    filled: '20261124060000_first_cursors',
    lacking: 'SELECT store_id FROM feed_heads WHERE head > 0 AND first_cursors = 0',
  },
  {
    adds: '20261124130000_store_ids',
    filled: '20261124130100_store_ids_filled',
    lacking: [
      ...[
        'client_secrets',
        'signing_secrets',
        'access_tokens',
        'app_console_sessions',
        'idempotency_records',
        'idempotency_uses',
      ].map((table) => withoutStore(table, 'installations', 'installation_id')),
      withoutStore('delivery_attempts', 'deliveries', 'delivery_id'),
      withoutStore('media_import_items', 'media_imports', 'import_id'),
      `SELECT 'request_log' FROM request_log WHERE store_id IS NULL`,
    ].join(' UNION ALL '),
  },
  {
    adds: '20261124133000_operators',
    filled: '20261124133000_operators',
    lacking: 'SELECT hash FROM console_sessions WHERE id IS NULL',
  },
  {
    // Null is right for what was there: nobody paused it, and updated_at says since when it is deactivated.
    adds: '20261124133100_paused_subscriptions',
    filled: '20261124133100_paused_subscriptions',
    lacking: 'SELECT id FROM subscriptions WHERE paused_at IS NOT NULL',
  },
  {
    // Null is right for what was there: an app of one store.
    adds: '20261124134000_platform_apps',
    filled: '20261124134000_platform_apps',
    lacking: 'SELECT id FROM installations WHERE app_id IS NOT NULL',
  },
  {
    // Null is right for what was there: no subscription is the event address of an app, and no app of many stores is installed.
    adds: '20261124134300_app_events',
    filled: '20261124134300_app_events',
    lacking:
      'SELECT id FROM subscriptions WHERE app_id IS NOT NULL UNION ALL SELECT id FROM installations WHERE told_status IS NOT NULL',
  },
  {
    adds: '20261124135100_store_domains',
    filled: '20261124135100_store_domains',
    lacking: `SELECT id FROM stores s WHERE NOT EXISTS (SELECT FROM store_domains d WHERE d.domain = s.domain AND d.store = s.id)`,
  },
  {
    // Null is right for what was there: a merchant's store.
    adds: '20261124134500_sandbox_stores',
    filled: '20261124134500_sandbox_stores',
    lacking: 'SELECT id FROM stores WHERE sandbox_app_id IS NOT NULL',
  },
  {
    // Null is right for what was there: nothing says in which trace it was.
    adds: '20261124133800_traceparents',
    filled: '20261124133800_traceparents',
    lacking: 'SELECT id FROM events WHERE traceparent IS NOT NULL',
  },
  {
    // Null is right for what was there: no subscription had options, and no delivery has fields or a place by them.
    adds: '20261124133800_subscription_options',
    filled: '20261124133800_subscription_options',
    lacking: 'SELECT id FROM subscriptions WHERE filter IS NOT NULL OR fields IS NOT NULL OR ordered_by IS NOT NULL',
  },
  {
    // Null is right for what was there: no subscription gathered.
    adds: '20261124134300_gathering',
    filled: '20261124134300_gathering',
    lacking: 'SELECT id FROM deliveries WHERE gathered IS NOT NULL',
  },
  {
    // Null is right for what was there, and for what nodes of the version before write: the feed looks at these events one by one.
    adds: '20261124135831_feed_audiences',
    filled: '20261124135831_feed_audiences',
    lacking: `SELECT event_id FROM feed f JOIN events e ON e.store_id = f.store_id AND e.id = f.event_id WHERE f.audience <> ${audienceOf('e.')}`,
  },
  {
    // Null is right for what was there: nobody noted which token opened it, and it lasts for 8 hours at most.
    adds: '20261124135841_sessions_end_with_their_token',
    filled: '20261124135841_sessions_end_with_their_token',
    lacking: 'SELECT hash FROM console_sessions WHERE opened_by_token IS NOT NULL',
  },
  {
    // An import of an older version has counted nothing.
    adds: '20261124135850_import_removals',
    filled: '20261124135850_import_removals',
    lacking: 'SELECT id FROM product_imports WHERE variants_removed + images_removed + stock_removed > 0',
  },
  {
    // Nothing waits to be tried again after a node of the version before.
    adds: '20261124135910_media_import_retries',
    filled: '20261124135910_media_import_retries',
    lacking: 'SELECT import_id FROM media_import_items WHERE asked > 0 OR retry_at IS NOT NULL',
  },
  {
    // Null is right for what was there, and for what nodes of the version before write. No row lacks it.
    adds: '20261124135911_media_file_records',
    filled: '20261124135911_media_file_records',
    lacking: 'SELECT key FROM media_files WHERE false',
  },
  {
    // Null is right for what was there: no version before has recorded a backup.
    adds: '20261124135940_last_backup',
    filled: '20261124135940_last_backup',
    lacking: 'SELECT id FROM schema_generation WHERE backed_up_at IS NOT NULL',
  },
  {
    // Null is right for what was there: no subscription included anything.
    adds: '20261124135951_included_resources',
    filled: '20261124135951_included_resources',
    lacking: 'SELECT id FROM subscriptions WHERE include IS NOT NULL',
  },
];

/** A transaction that has written to each table, such as a long import. */
const openTransaction = async (url: string): Promise<{ end(): Promise<void> }> => {
  const client = new pg.Client({ connectionString: url, application_name: 'a long transaction' });
  await client.connect();
  const { rows } = await client.query<{ tables: string }>(
    `SELECT string_agg(quote_ident(relname), ', ') AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  await client.query(`BEGIN; LOCK TABLE ${rows[0]?.tables ?? ''} IN ROW EXCLUSIVE MODE`);
  return { end: () => client.end() };
};

describe.each(RELEASES)('from $version, one migration after the other under load', (release) => {
  let upgrade: Upgrade;
  let database: Database;
  /** Folder of the applied migrations. */
  let folder = '';
  beforeAll(async () => {
    if (!hasCommit(release)) return;
    [upgrade, folder] = await Promise.all([openUpgrade(release), mkdtemp(join(tmpdir(), 'tenon-migrations-'))]);
    database = openDatabase({ url: upgrade.url, name: MIGRATING, connections: 3, beginsEpoch: false });
    await query(`ALTER DATABASE ${new URL(upgrade.url).pathname.slice(1)} SET lock_timeout = '${LOCK_TIMEOUT}'`);
  });
  afterAll(async () => {
    if (!hasCommit(release)) return;
    await database.close();
    await upgrade.close();
    await rm(folder, { recursive: true });
  });

  const query = <Row extends object>(text: string): Promise<Row[]> => anySql(database).query<Row>(text);
  const add = (name: string): Promise<void> => cp(join('prisma/migrations', name), join(folder, name), { recursive: true });
  const columns = async (): Promise<Set<string>> => {
    const rows = await query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    return new Set(rows.map(({ table, column }) => `${table}.${column}`));
  };
  /** Finds rows without the values that migrations up to this one filled in. */
  const lacking = async (last: string): Promise<unknown[]> => {
    const filled = ADDITIONS.filter((addition) => addition.filled <= last);
    return (await Promise.all(filled.map((addition) => query(addition.lacking)))).flat();
  };
  const waiting = () =>
    query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${MIGRATING}' AND wait_event_type = 'Lock'`,
    );
  const isValid = async (index: string): Promise<boolean | undefined> =>
    (await query<{ valid: boolean }>(`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('${index}')`))[0]
      ?.valid;

  /** Beside a transaction that has written to each table, and that ends once the traffic has passed the migration. */
  const apply = async (migration: Migration, traffic: UpgradeTraffic): Promise<void> => {
    const { name } = migration;
    const before = await columns();
    const outside = outsideTransaction(migration);
    const index = outside?.kind === 'index' ? outside.index : null;
    await add(name);
    const transaction = await openTransaction(upgrade.url);
    let isOver = false;
    const applied = migrate(database, { folder }).finally(() => (isOver = true));
    const ended = index === null ? applied : expect(applied).rejects.toThrow(`Migration ${name} was interrupted`);
    try {
      await expect.poll(async () => isOver || (await waiting()).length > 0).toBe(true);
      await traffic.more(1);
      if (index !== null) {
        // Before there is an index, it may wait for an autovacuum of the table.
        const pid = await eventually(async () => {
          expect(await isValid(index)).toBe(false);
          const [{ pid } = { pid: 0 }] = await waiting();
          expect(pid).not.toBe(0);
          return pid;
        });
        await query(`SELECT pg_terminate_backend(${String(pid)})`);
      }
    } finally {
      await transaction.end();
    }
    await ended;
    if (index !== null) {
      await migrate(database, { folder });
      expect(await isValid(index)).toBe(true);
    }
    const tables = new Set([...before].map((column) => column.split('.')[0]));
    const added = [...(await columns())].filter((column) => !before.has(column) && tables.has(column.split('.')[0]));
    if (added.length > 0)
      expect(
        ADDITIONS.map(({ adds }) => adds),
        `${name} adds ${added.join(', ')}`,
      ).toContain(name);
    expect(await lacking(name)).toEqual([]);
    await traffic.more(1);
  };

  // A shallow clone does not have the commit of the release.
  it.skipIf(!hasCommit(release))(
    'each statement of the version before passes, and all that it wrote is complete',
    { timeout: PATIENCE_MS },
    async () => {
      const old = await upgrade.startOld();
      const traffic = await upgrade.openTraffic(old);
      const since = await migrationsSince(database);
      const applied = await query<{ name: string }>('SELECT migration_name AS name FROM _prisma_migrations');
      for (const { name } of applied) await add(name);
      traffic.begin();
      await traffic.more(1);
      for (const migration of besideOlder(since)) await apply(migration, traffic);
      expect(await migrationsCheck(database)()).toBe(true);

      const present = await upgrade.startPresent();
      traffic.use(old, present);
      await traffic.more(2);
      traffic.use(present);
      expect(await stop(old)).toBe(0);
      // A node does it itself, a while later.
      await expect.poll(() => migrateRest(database).catch((error: unknown) => error)).toBeUndefined();
      await traffic.more(1);
      await traffic.end();
      await traffic.expectAll();
      expect(await lacking(since.at(-1)?.name ?? '')).toEqual([]);
      const [found] = await query<{ deadlocks: string }>(
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
      );
      expect([old.errors, present.errors, found?.deadlocks]).toEqual([[], [], '0']);
      // Analyses as autovacuum does a while later: the planner knows nothing of the tables that
      // were empty a moment ago.
      await query('ANALYZE');
      expect(await upgrade.violated(present)).toEqual([]);
    },
  );
});
