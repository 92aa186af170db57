import { randomUUID } from 'node:crypto';

import { StartFailure } from '../../wiring/start-failure.ts';
import { openCopyConnection } from '../connection/copy-connection.ts';
import type { CopiedTable, CopyConnection } from '../connection/copy-connection.ts';
import { RECORD, TABLE } from '../connection/migrations.ts';
import { ADVANCE, FOLD_AGAIN, LOCK_SCHEMA, STORE, TABLES } from './catalogue-statements.ts';
import { appliedTo, scriptsOf, without } from './schema.ts';
import type { AppliedMigration } from './schema.ts';
import { createTableLoader } from './table-loader.ts';
import { BACKED_UP, MAY_HAVE_ROWS, SHARED } from './tables.ts';

/** What an archive says about its rows. */
export interface LoadedContent {
  readonly store: { readonly id: string; readonly domain: string } | null;
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly CopiedTable[];
  readonly sequences: readonly { readonly name: string; readonly last: string }[];
}

/** One transaction that writes the rows of an archive. */
export interface Load {
  /** Writes the next lines of a table, in the order of the tables. */
  write(table: string, lines: Buffer): Promise<void>;
  /** Makes all of it visible at once. */
  commit(): Promise<void>;
  /** Undoes what is not committed. */
  close(): Promise<void>;
}

const NOT_EMPTY = 'Restore into an empty database: for the embedded one, set DATA_DIR to a new folder. Nothing was changed.';

/** Gives an empty database the schema of the archive. Throws a StartFailure when it is not empty. */
const prepare = async (connection: CopyConnection, { migrations }: LoadedContent): Promise<void> => {
  const { sql } = connection;
  await sql.execute(LOCK_SCHEMA);
  const applied = await appliedTo(sql);
  const present = new Set((await sql.rows(TABLES)).map(({ name }) => name));
  const ours = Object.keys(BACKED_UP).filter((name) => present.has(name));
  if (ours.length > 0) await connection.run(`LOCK TABLE ${ours.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  const full = await connection.firstWithRows(ours.filter((name) => !MAY_HAVE_ROWS.has(name)));
  if (full !== null) throw new StartFailure(`The database is not empty: ${full} has rows. ${NOT_EMPTY}`);
  if (without(applied, migrations).length > 0) {
    throw new StartFailure(`The database has the tables of another version than the backup. ${NOT_EMPTY}`);
  }
  await connection.run(TABLE);
  for (const { name, checksum, script } of without(await scriptsOf(migrations, 'The backup'), applied)) {
    await connection.run(script);
    await sql.execute(RECORD, { id: randomUUID(), checksum, name });
  }
};

/** Whether a store fits into the database. Throws a StartFailure when it does not. */
const admitStore = async ({ sql }: CopyConnection, { store, migrations }: LoadedContent): Promise<void> => {
  const applied = await appliedTo(sql);
  if (without(applied, migrations).length > 0 || without(migrations, applied).length > 0) {
    throw new StartFailure(
      'The export and this database are of different versions of Tenon. Export it again with the version of this database.',
    );
  }
  for (const taken of [store?.id, store?.domain]) {
    const [found] = taken === undefined ? [] : await sql.rows(STORE, { store: taken });
    if (found !== undefined)
      throw new StartFailure(`This database has a store with the id or the domain ${String(taken)} already.`);
  }
};

const sorted = (columns: readonly string[]): string => [...columns].sort().join();

/** Throws a StartFailure unless the database has the tables with the same columns. */
const compareTables = async ({ sql }: CopyConnection, { tables }: LoadedContent): Promise<void> => {
  const present = new Map((await sql.rows(TABLES)).map(({ name, columns }) => [name, sorted(columns)]));
  const wrong = tables.find(({ name, columns }) => present.get(name) !== sorted(columns));
  if (wrong !== undefined)
    throw new StartFailure(`The table ${wrong.name} of the backup has other columns than that of this database.`);
};

const STAGED = '_imported';

/** Rows that may exist already are written to a table of this transaction first. */
const stage = async (connection: CopyConnection, { store, tables }: LoadedContent): Promise<readonly CopiedTable[]> => {
  if (store === null) return tables;
  for (const name of SHARED) await connection.run(`CREATE TEMP TABLE ${name}${STAGED} (LIKE ${name}) ON COMMIT DROP`);
  return tables.map((table) => (SHARED.includes(table.name) ? { ...table, into: `${table.name}${STAGED}` } : table));
};

const mergeStaged = async (connection: CopyConnection): Promise<void> => {
  for (const name of SHARED) await connection.run(`INSERT INTO ${name} SELECT * FROM ${name}${STAGED} ON CONFLICT DO NOTHING`);
};

const complete = async (connection: CopyConnection, { store, tables, sequences }: LoadedContent): Promise<void> => {
  const { sql } = connection;
  if (store !== null) await mergeStaged(connection);
  for (const { name, last } of sequences) await sql.execute(ADVANCE, { name, last });
  if (tables.some(({ name }) => name === 'product_search')) await sql.execute(FOLD_AGAIN, { only: store?.id ?? null });
  await connection.run('COMMIT');
  // The planner knows nothing of the rows before the next run of autovacuum. Failing to tell it changes no row.
  await connection.run(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`).catch(() => undefined);
};

const load = async (
  url: string,
  content: LoadedContent,
  admit: (connection: CopyConnection, content: LoadedContent) => Promise<void>,
): Promise<Load> => {
  const connection = await openCopyConnection(url);
  try {
    await connection.run('BEGIN');
    await admit(connection, content);
    await compareTables(connection, content);
    const loader = createTableLoader(connection, await stage(connection, content));
    return {
      write: (table, lines) => loader.write(table, lines),
      commit: async () => {
        await loader.end();
        await complete(connection, content);
      },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
};

/**
 * Begins to restore a backup. Throws a StartFailure when the database is not empty, or this version
 * does not know the schema of the backup.
 */
export const beginRestore = (url: string, content: LoadedContent): Promise<Load> => load(url, content, prepare);

/**
 * Begins to import a store. Throws a StartFailure when its id or its domain exists already, or the
 * schema is another one.
 */
export const beginImport = (url: string, content: LoadedContent): Promise<Load> => load(url, content, admitStore);
