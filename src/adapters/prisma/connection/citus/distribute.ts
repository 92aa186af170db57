import type pg from 'pg';

import { DRAW_SEQ } from './draw-seq.ts';
import { hasCitus } from './has-citus.ts';

/**
 * Tables outside stores that statements read beside tables of a store, or that these refer to. Each
 * node has a copy of them. The others stay on the coordinator.
 */
const REFERENCE_TABLES = [
  'store_domains',
  'platform_apps',
  'platform_client_secrets',
  'platform_signing_secrets',
  'epochs',
  'schema_generation',
];

interface Table {
  readonly name: string;
  /** The column that has the store; null of a reference table. */
  readonly column: string | null;
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Tables that are still on the coordinator alone. The others are distributed beside the first. */
const UNDISTRIBUTED = `
  SELECT quote_ident(c.relname) AS name, k.column
  FROM pg_class c CROSS JOIN LATERAL (
    SELECT CASE WHEN c.relname = 'stores' THEN 'id' ELSE (
      SELECT attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'store_id'
    ) END AS column
  ) k
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND (k.column IS NOT NULL OR c.relname = ANY ($1))
    AND NOT EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = c.oid)
  ORDER BY c.relname = 'stores' DESC, c.relname`;

const FOREIGN_KEYS = `
  SELECT k.conrelid::regclass::text AS table, quote_ident(k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
  FROM pg_constraint k WHERE k.contype = 'f' AND (k.conrelid = ANY ($1::regclass[]) OR k.confrelid = ANY ($1::regclass[]))`;

/**
 * Foreign keys between local and reference tables would make the local ones tables that Citus manages. The commands go to one node after
 * the other, as those of a transaction with reference tables have to. Triggers work on one row, which lies where the trigger does.
 */
const SETTINGS = `
  SET LOCAL citus.enable_local_reference_table_foreign_keys = off;
  SET LOCAL citus.multi_shard_modify_mode = 'sequential';
  SET LOCAL citus.enable_unsafe_triggers = on`;

/**
 * The function reads a table, and each node has a copy of that. Without the setting a worker
 * refuses it inside a statement that was sent there.
 */
const ON_WORKERS = 'ALTER FUNCTION platform_app_refusal(uuid, timestamptz) SET citus.allow_nested_distributed_execution = on';

/** No index of stores can be unique over all nodes, and none of their triggers can write what each node has (identity/claim-domain.ts). */
const DOMAINS = ['DROP INDEX IF EXISTS stores_domain_key', 'DROP TRIGGER IF EXISTS keep_domain ON stores'];

export const undistributed = async (client: pg.ClientBase): Promise<readonly Table[]> =>
  (await client.query<Table>(UNDISTRIBUTED, [REFERENCE_TABLES])).rows;

const place = async (client: pg.ClientBase, { name, column }: Table): Promise<void> => {
  if (column === null) await client.query('SELECT create_reference_table($1::regclass)', [name]);
  else if (name === 'stores') await client.query('SELECT create_distributed_table($1::regclass, $2)', [name, column]);
  else await client.query(`SELECT create_distributed_table($1::regclass, $2, colocate_with => 'stores')`, [name, column]);
};

const placeAll = async (client: pg.ClientBase, tables: readonly Table[]): Promise<void> => {
  await client.query(SETTINGS);
  const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS, [tables.map(({ name }) => name)]);
  // Citus takes a foreign key only between tables that have their places.
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const changes = { stores: DOMAINS, pending_events: DRAW_SEQ };
  for (const [changed, texts] of Object.entries(changes)) {
    if (tables.some(({ name }) => name === changed)) for (const text of texts) await client.query(text);
  }
  for (const table of tables) await place(client, table);
  for (const { table, name, definition } of keys) {
    // No id changes, and Citus refuses a foreign key that says what to do when the store of a row does.
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition.replace(' ON UPDATE CASCADE', '')}`);
  }
  await client.query(ON_WORKERS);
};

/**
 * On the coordinator of a Citus cluster: gives each table its place where it lacks one, a table with a store by the store of its rows, so
 * that all of a store lies together. Rows that are there move with their table. One transaction, which ends with
 * the connection where it fails. Any other PostgreSQL it leaves as it is.
 */
export const distribute = async (client: pg.ClientBase, onProgress?: (message: string) => void): Promise<void> => {
  if (!hasCitus(client)) return;
  const tables = await undistributed(client);
  if (tables.length === 0) return;
  onProgress?.(`Distributing ${String(tables.length)} tables over the nodes of Citus`);
  await client.query('BEGIN');
  await placeAll(client, tables);
  await client.query('COMMIT');
};
