import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { analyseGrown } from '../../src/adapters/prisma/connection/growing-tables.ts';
import { LOOKS_UP_BY_KEY } from '../../src/adapters/prisma/connection/session.ts';
import { statements, type AnyStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { root, sourceFiles } from '../architecture/source.ts';
import { fillTables, prepareTables } from '../support/filled-tables.ts';
import { readWasteful, type Wasteful } from '../support/plan-scans.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

/**
 * The statements that read a whole table, a whole index or a whole store, by a part of their text.
 * Every other statement is expected to find its rows by an index.
 */
const MAY_SCAN: Readonly<Record<string, readonly string[]>> = {
  'a command, or a start, reads a table once': [
    'FROM stores WHERE id::text = $1',
    "split_part(sealed, '.', 2) AS kid",
    'SELECT use, count(*)::int AS count',
    'SELECT kind, id, name, domain FROM',
    "WHERE split_part(sealed, '.', 2) = $1",
    'DELETE FROM signing_secrets s USING installations',
    'UPDATE product_search s SET name = folded(p.name)',
    'INSERT INTO store_domains (domain, store) SELECT domain, id FROM stores s',
    "SELECT 'pending_events_seq_seq' AS name",
  ],
  'a list or an export gives what a store has, and a filter or a search looks through it': [
    'SELECT * FROM products WHERE store_id = $1 AND deleted_at IS NULL ORDER BY created_at, id LIMIT',
    'SELECT id, created_at, variant_count FROM products WHERE store_id = $1 AND deleted_at IS NULL ORDER BY',
    'WITH matching AS',
    'FROM installations WHERE store_id = $1 AND ($3::text[] IS NULL',
    'SELECT kind, id, title, iso(at) AS at, app AS "installationId" FROM ( (SELECT \'product\'',
    'FROM stores s WHERE NOT EXISTS (SELECT FROM store_erasures x WHERE x.store_id = s.id) AND',
    'FROM audit_log a LEFT JOIN audit_log d',
    'FROM incidents i LEFT JOIN stores s',
    'SELECT s.id, s.url, s.description',
    'WITH own AS MATERIALIZED',
    'FROM subscriptions o CROSS JOIN LATERAL (SELECT delivery_id FROM delivery_queue',
    'SELECT installation_id AS context, sealed',
    'WITH caused AS MATERIALIZED',
  ],
  'a sandbox store has few entries, images and records, and other stores are not counted': [
    '::int AS room',
    'AS counted FROM stores',
  ],
  'the oldest of what waits is read in its order, behind a thousand rows at most': [
    'SELECT q.delivery_id AS "deliveryId", iso(d.created_at)',
  ],
  'of what has an error in a store, the newest hundred thousand are read at most': ["FILTER (WHERE d.status = 'Failed'"],
  'a dry run reads the newest events of a store, a thousand at most': ['SELECT l.body FROM stores st LEFT JOIN LATERAL'],
  'a store has a thousand of these at most': ['SELECT id, name, code, country FROM warehouses'],
  'a server has few of these': [
    'sealed FROM retired_peppers',
    'FROM console_sessions s LEFT JOIN operators o',
    'FROM operators o WHERE ($1::timestamptz',
    'SELECT count(*)::int AS total FROM operators',
    'FROM operators WHERE lower(email)',
    'FROM platform_apps WHERE ($1::timestamptz',
    'SELECT count(*)::int AS total FROM platform_apps',
  ],
  'a store has few of these': [
    'OR gather_quiet_seconds IS NOT NULL)) AS "hasOptions"',
    'WITH RECURSIVE found AS ( SELECT id, parent_id FROM categories',
    'FROM categories WHERE store_id = $1 AND parent_id = $2',
    'FROM tax_classes t WHERE t.store_id = $1 AND (t.id',
    'SELECT count(*)::int AS n FROM subscriptions s LEFT JOIN installations',
    'events e JOIN subscriptions s ON s.store_id = $1 AND s.created_at <= e.created_at',
    'WITH taken AS ( DELETE FROM pending_events',
    'AS "subscriptionId" FROM subscriptions s WHERE s.store_id = $1',
  ],
  'a removal looks for what goes with it': [
    'AS subscriptions, ARRAY(SELECT id FROM installations',
    "expires_at = '-infinity' WHERE store_id = $1",
  ],
  'a store is erased, in batches': [
    "UPDATE installations SET status = 'Uninstalled', uninstalled_at = now(), updated_at = now() WHERE store_id",
    'UPDATE subscriptions SET is_active = false, updated_at = now() WHERE store_id',
    'FROM store_erasures ORDER BY at',
    'FROM store_erasures x JOIN media_files f',
    'SELECT FROM media_files WHERE store_id = $1 LIMIT 1',
  ],
  'a sweep, a purge or a figure, in the background': [
    's.failures::float AS value',
    'SELECT queued.counted AS queued',
    'SELECT l.store_id AS "storeId", st.domain AS name',
    'SELECT id FROM stores st WHERE EXISTS',
    'SELECT DISTINCT i.store_id AS id FROM installations i',
    'i.told_status AS "toldStatus"',
    'AS "subscriptionId" FROM subscriptions s JOIN stores st',
    'SELECT store_id AS id FROM delivery_endings',
    'SELECT DISTINCT s.store_id AS id FROM subscriptions s',
    'reached_due::text AS "reachedDue"',
    'EXISTS (SELECT FROM delivery_endings WHERE store_id = $1) AS found',
    'SELECT DISTINCT m.store_id AS "storeId", m.installation_id',
    'WITH expired AS ( DELETE FROM delivery_queue',
    'DELETE FROM console_sessions WHERE hash = ANY',
    'DELETE FROM developer_sessions WHERE hash = ANY',
    'DELETE FROM platform_signing_secrets WHERE id = ANY',
    'SELECT d.part, d."storeId", d.place FROM stores st',
    'FROM events e WHERE e.created_at <',
    'DELETE FROM events e WHERE',
    'FROM idempotency_uses u WHERE u.since',
    "WHERE i.status = 'Uninstalled' AND EXISTS",
    'SELECT h.store_id AS "storeId" FROM feed_heads',
    'UPDATE feed_heads SET first_cursors = head',
  ],
  'the admin API looks at one key, or checks the invariants': ['coalesce(u.replays, 0) AS replays', 'SELECT count(is_wrong)'],
  'a repair, a part of the store at a time': [
    'make_interval(secs => $3) AND NOT EXISTS',
    'e.store_id AS "storeId", (SELECT count(*) FROM page)',
    'd.store_id AS "storeId", (SELECT count(*) FROM page)',
  ],
};
/**
 * Statements of an erasure read a part of one store, and no other store. Their transaction looks
 * its rows up by keys (store-erasure.ts), as the second connection does.
 */
const ERASES = ['ctid = ANY (ARRAY(SELECT ctid FROM'];
/**
 * A table has a row for each start of the server: the feed's is read with each page, and another one when a restore ends.
 * A store has few subscriptions, and an index has those with options alone. A server has few operators and few processes. Few stores are being
 * erased at a time: now and then the statistics let the planner read all of them, which costs no more.
 */
const FEW_ROWS = [
  'reads a store of feed_epochs_pkey',
  'reads all of epochs_pkey',
  'reads a store of subscriptions_options_idx',
  'reads a store of subscriptions_includes_idx',
  'reads all of store_erasures_pkey',
  'reads operator_tokens',
  'reads sign_in_methods',
  'reads processes',
];

const PARTS = Object.values(MAY_SCAN).flat();

let database: TestDatabase;
let wasteful: Wasteful;
/** A connection of the pool, and the one of the look-ups of all requests. */
const connections: pg.Client[] = [];

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const isOneOf = (parts: readonly string[], { text }: AnyStatement): boolean => parts.some((part) => flat(text).includes(part));
const mayScan = (statement: AnyStatement): boolean => isOneOf(PARTS, statement);

/** Statements that PostgreSQL plans. */
const planned = (): AnyStatement[] => {
  const all = new Map(statements().map((statement) => [statement.name, statement]));
  return [...all.values()].filter(({ text }) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\s/.test(text));
};

const connect = async (settings: string): Promise<void> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // Forces the generic plan, which is kept after the sixth execution.
  await client.query(`SET plan_cache_mode = force_generic_plan; ${settings}`);
  for (const { name, text } of planned()) await client.query(`PREPARE "${name}" AS ${text}`);
  connections.push(client);
};

/** Finds kept plans that read more than they need. */
const faultsOn = async (client: pg.Client): Promise<Map<AnyStatement, string[]>> => {
  const faults = new Map<AnyStatement, string[]>();
  for (const statement of planned()) {
    const given = Object.keys(statement.parameters).map(() => 'NULL');
    const text = `EXPLAIN (FORMAT JSON) EXECUTE "${statement.name}"${given.length === 0 ? '' : `(${given.join()})`}`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Parameters<Wasteful>[0] }] }>(text);
    const found = rows.flatMap((row) => wasteful(row['QUERY PLAN'][0].Plan)).filter((fault) => !FEW_ROWS.includes(fault));
    if (found.length > 0) faults.set(statement, [...new Set(found)]);
  }
  return faults;
};

/** The statements that read more than they may, with what they read. */
const unexpected = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const [at, client] of connections.entries()) {
    const looksUpByKeys = at > 0;
    for (const [statement, faults] of await faultsOn(client)) {
      const erases =
        isOneOf(ERASES, statement) && (!looksUpByKeys || faults.every((fault) => fault.startsWith('reads a store of')));
      if (!mayScan(statement) && !erases) found.push(`${faults.join(', ')}:\n  ${flat(statement.text)}`);
    }
  }
  return found;
};

beforeAll(async () => {
  for (const file of sourceFiles('src/adapters/prisma')) await import(pathToFileURL(join(root, file)).href);
  database = await openTestDatabase();
  await prepareTables(database);
  await database.query('ANALYZE');
  wasteful = await readWasteful(database);
  for (const settings of ['', LOOKS_UP_BY_KEY]) await connect(settings);
  for (const client of connections) await faultsOn(client);
  await fillTables(database);
}, 900_000);
afterAll(async () => {
  for (const client of connections) await client.end();
  await database.close();
});

it('a plan of the time when the tables were empty is kept', async () => {
  for (const client of connections) expect((await faultsOn(client)).size).toBeGreaterThan(50);
});

it('and is made again once the tables that have grown are analysed: every statement finds its rows by an index', async () => {
  expect((await analyseGrown(database)).length).toBeGreaterThan(40);
  expect(await analyseGrown(database)).toEqual([]);
  expect(await unexpected()).toEqual([]);
});

it('those that may read much are statements that do', async () => {
  const faults = await Promise.all(connections.map(async (client) => [...(await faultsOn(client)).keys()]));
  expect(PARTS.filter((part) => !faults.flat().some(({ text }) => flat(text).includes(part)))).toEqual([]);
});

// To the planner, a plan is as good as one that costs a hundredth less, and a hundredth of some documents is a whole store.
it('no statement reads more where its columns cost much', async () => {
  await database.query('ALTER FUNCTION to_char(timestamp, text) COST 1000000');
  for (const client of connections) await client.query('DISCARD PLANS');
  expect(await unexpected()).toEqual([]);
});
