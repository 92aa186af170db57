import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { outsideTransaction } from '../../src/adapters/prisma/connection/migrations.ts';
import { MAY_BE_BIG } from '../support/big-tables.ts';
import { createEmptyDatabase } from '../support/postgres.ts';
import { load, migrationsSince, RELEASES } from '../support/releases.ts';

interface Use {
  /** Another file after the table was written again. */
  readonly file: string;
  /** True when the writes of others have to wait until the transaction ends. */
  readonly isClosed: boolean;
  readonly scans: number;
  /** The rows that nobody else can change until then. */
  readonly locked: number;
}

/** Effects of this transaction on each table. */
const USES = `
  SELECT c.relname AS name, c.relfilenode::text AS file, s.seq_scan::int AS scans, (s.n_tup_upd + s.n_tup_del)::int AS locked,
    EXISTS (SELECT FROM pg_locks l WHERE l.pid = pg_backend_pid() AND l.relation = c.oid
      AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) AS "isClosed"
  FROM pg_class c JOIN pg_stat_xact_user_tables s ON s.relid = c.oid WHERE c.relnamespace = 'public'::regnamespace`;

const usesOf = async (client: pg.Client): Promise<Map<string, Use>> =>
  new Map((await client.query<Use & { name: string }>(USES)).rows.map((row) => [row.name, row]));

/**
 * Finds steps of a script in this transaction that keep the writes out of a big table for longer
 * the bigger it is.
 */
const faultsOf = async (client: pg.Client, script: string): Promise<string[]> => {
  const before = await usesOf(client);
  await client.query(script);
  const after = await usesOf(client);
  return [...before].flatMap(([table, was]) => {
    const is = after.get(table);
    if (is === undefined || !MAY_BE_BIG.has(table)) return [];
    if (is.file !== was.file) return [`${table} is written again while nobody can use it`];
    if (is.isClosed && is.scans > was.scans) return [`${table} is read whole while nobody can write to it`];
    const locked = is.locked - was.locked;
    return locked > 0 ? [`${String(locked)} rows of ${table} are locked until the end of the migration`] : [];
  });
};

describe.each(RELEASES)('a migration since $version', (release) => {
  let client: pg.Client;
  let drop: () => Promise<void>;
  let url: string;
  beforeAll(async () => {
    ({ url, drop } = await createEmptyDatabase());
    await load(release, url);
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await drop();
  });

  it.each([
    ['a column', `ALTER TABLE deliveries ADD COLUMN note text; ALTER TABLE feed ADD COLUMN kind int NOT NULL DEFAULT 1`, []],
    [
      'a column whose default differs by row',
      `ALTER TABLE deliveries ADD COLUMN token uuid NOT NULL DEFAULT gen_random_uuid()`,
      ['deliveries is written again while nobody can use it'],
    ],
    [
      'a check of all rows',
      `ALTER TABLE deliveries ADD CHECK (id IS NOT NULL)`,
      ['deliveries is read whole while nobody can write to it'],
    ],
    ['a check that is validated later', `ALTER TABLE deliveries ADD CHECK (id IS NOT NULL) NOT VALID`, []],
    ['an index', `CREATE INDEX planted ON events (type)`, ['events is read whole while nobody can write to it']],
    [
      'a foreign key',
      `ALTER TABLE deliveries ADD FOREIGN KEY (store_id, event_id) REFERENCES events (store_id, id)`,
      ['deliveries is read whole while nobody can write to it', 'events is read whole while nobody can write to it'],
    ],
    [
      'a foreign key that is validated later',
      `ALTER TABLE deliveries ADD FOREIGN KEY (store_id, event_id) REFERENCES events (store_id, id) NOT VALID`,
      [],
    ],
    [
      'values for all rows',
      `UPDATE products SET name = name`,
      [`${String(release.rows['products'])} rows of products are locked until the end of the migration`],
    ],
    ['values for all rows of a small table', `UPDATE stores SET name = name`, []],
    ['a table that is filled from another one', `CREATE TABLE planted AS SELECT id FROM products`, []],
  ])('is judged by what it does: %s', async (_what, script, faults) => {
    await client.query('BEGIN');
    try {
      expect((await faultsOf(client, script)).toSorted()).toEqual(faults);
    } finally {
      await client.query('ROLLBACK');
    }
  });

  it('does nothing to a big table that takes long and keeps the writes out', async () => {
    const database = openDatabase({ url, connections: 1, beginsEpoch: false });
    const migrations = await migrationsSince(database);
    await database.close();
    expect(migrations.length).toBeGreaterThan(0);
    const faults: string[] = [];
    for (const migration of migrations) {
      // Outside of one, an index is built beside the writes, or rows are filled in batches.
      if (outsideTransaction(migration) !== null) {
        await client.query(migration.script);
        continue;
      }
      await client.query('BEGIN');
      for (const fault of await faultsOf(client, migration.script)) faults.push(`${migration.name}: ${fault}`);
      await client.query('COMMIT');
    }
    expect(faults).toEqual([]);
  });
});
