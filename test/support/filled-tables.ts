import type { Database } from '../../src/adapters/prisma/connection/database.ts';
import type { AnySql } from './postgres.ts';

export interface FilledColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** True for a UUID that is a key, alone or in its store. */
  readonly isKey: boolean;
}

const ROWS = 100_000;
const STORES = 10;

const uuid = (number: string): string => `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** A thousand rows have those that belong to them. A row that belongs to two is the only one of the pair. */
const idOf = (name: string): string => {
  if (/^(?:id|(?:delivery|event|media|request)_id)$/.test(name)) return 'n';
  return /^(?:category|collection|warehouse|product_option_value)_id$/.test(name) ? 'n / 1000' : 'n % 1000';
};

const VALUES: Readonly<Record<string, (name: string) => string>> = {
  uuid: (name) => uuid(name === 'store_id' ? `n % ${String(STORES)}` : idOf(name)),
  text: (name) => (name === 'unit' ? `'minute'` : `'text ' || n`),
  bytea: () => `decode(lpad(to_hex(n), 64, '0'), 'hex')`,
  json: () => `'{}'`,
  jsonb: () => `'{}'`,
  bool: () => 'n % 2 = 0',
  timestamptz: () => `timestamptz '2026-01-01' + n * interval '1 second'`,
  int2: () => 'n / 1000',
  int4: () => 'n',
  int8: () => 'n',
  float8: () => 'n',
  'text[]': () => `ARRAY['some']`,
  'int4[]': () => 'ARRAY[0]',
  'uuid[]': () => `ARRAY[${uuid(`n % ${String(STORES)}`)}]`,
};

export const valueOf = ({ name, type, nullable, isKey }: FilledColumn): string => {
  if (isKey) return uuid('n');
  const value = VALUES[type];
  if (!value) throw new Error(`No value for ${name}, a ${type}`);
  return nullable ? `CASE WHEN n % 2 = 0 THEN (${value(name)})::${type} END` : value(name);
};

/** A Citus cluster has a part of a table under its name with a number. */
const IS_OURS = `relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname !~ '^_' AND relname !~ '_[0-9]{6}$'`;

/** The tables of Tenon, in no order. */
export const tablesOf = async (database: AnySql): Promise<string[]> => {
  const rows = await database.query<{ name: string }>(`SELECT relname::text AS name FROM pg_class WHERE ${IS_OURS}`);
  return rows.map(({ name }) => name);
};

/** The columns of a table, in their order. */
export const columnsOf = (database: AnySql, table: string): Promise<FilledColumn[]> =>
  database.query<FilledColumn>(
    `SELECT quote_ident(a.attname) AS name, NOT a.attnotnull AS nullable,
       t.typname = 'uuid' AND EXISTS (
         SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY (i.indkey)
           AND (i.indnkeyatts = 1 OR i.indnkeyatts = 2 AND a.attname <> 'store_id' AND EXISTS (
             SELECT FROM pg_attribute s WHERE s.attrelid = a.attrelid AND s.attname = 'store_id' AND s.attnum = ANY (i.indkey)))
       ) AS "isKey",
       CASE WHEN t.typelem <> 0 THEN format('%s[]', substr(t.typname, 2)) ELSE t.typname END AS type
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = ''`,
    [table],
  );

/** Statistics change only when the test asks for it, and any row may be written. */
export const prepareTables = async (database: AnySql): Promise<void> => {
  for (const table of await tablesOf(database)) await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  const checks = await database.query<{ table: string; name: string }>(
    `SELECT relname::text AS table, conname::text AS name FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE contype = 'c' AND ${IS_OURS}`,
  );
  for (const { table, name } of checks) await database.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
};

/** Writes 100,000 rows to each table, or as many as are given. Foreign keys are not checked. */
export const fillTables = async (database: AnySql & Pick<Database, 'pool'>, count = ROWS): Promise<void> => {
  await database.query('DELETE FROM schema_generation');
  const client = await database.pool.connect();
  for (const table of await tablesOf(database)) {
    const columns = await columnsOf(database, table);
    // Statements are sent one at a time: a Citus cluster sends the whole text with a SET to its workers.
    for (const text of [
      'BEGIN',
      `SET LOCAL citus.propagate_set_commands = 'local'`,
      'SET LOCAL session_replication_role = replica',
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join()})
       SELECT ${columns.map(valueOf).join()} FROM generate_series(1, ${String(count)}) AS n`,
      'COMMIT',
    ])
      await client.query(text);
  }
  client.release();
};
