import { randomUUID } from 'node:crypto';

import { StartFailure } from '../../startup/start-failure.ts';
import type { ArchivedContent, ArchivedStore, Load, RequireKeys, SealedContent } from '../../storage/archive.ts';
import { answerTo } from '../connection/commit.ts';
import { openCopyConnection, type CopyConnection, type CopiedTable, type NamedQuery } from '../connection/copy-connection.ts';
import { BEGIN_RESTORED_EPOCH } from '../connection/epochs.ts';
import { insideTransaction, RECORD_MIGRATION, TABLE, type Migration } from '../connection/migrations.ts';
import { CLAIM_ALL, claimDomain } from '../identity/claim-domain.ts';
import {
  TABLES,
  ADVANCE,
  FOLD_AGAIN,
  LAST_PENDING,
  LOCK_SCHEMA,
  NEW_PEPPERS,
  SEALED_OF_STORE,
  STORE_RECORD,
} from './catalogue-statements.ts';
import { appliedTo, laterThan, scriptsOf, without } from './schema.ts';
import { sealedUnder } from './sealed-under.ts';
import { refused, createTableLoader } from './table-loader.ts';
import { BACKED_UP, MAY_HAVE_ROWS, conditionOf, DRAWN, FOUND_BY_ID, NAMES_A_ROW_OF, SHARED, LEFT_OUT } from './tables.ts';

/** The tables of a backup that the database has: none before the first migration. */
const ownTables = async ({ sql }: CopyConnection): Promise<readonly string[]> => {
  const present = new Set((await sql.rows(TABLES)).map(({ name }) => name));
  return Object.keys(BACKED_UP).filter((name) => present.has(name));
};

/** Returns a table with rows that show use of the server, or null. */
const tableWithRows = (connection: CopyConnection, tables: readonly string[]): Promise<string | null> =>
  connection.firstWithRows(
    tables.filter((name) => !MAY_HAVE_ROWS.has(name)).map((name) => ({ name, query: `SELECT 1 FROM ${name}` })),
  );

/** Returns true if nobody has written to the database. Throws a StartFailure where it can't be reached. */
export const isEmptyDatabase = async (url: string): Promise<boolean> => {
  const connection = await openCopyConnection(url);
  try {
    return (await tableWithRows(connection, await ownTables(connection))) === null;
  } finally {
    await connection.close();
  }
};

/**
 * The rows of a store's file in tables of this transaction, where no constraint, no trigger and no
 * other store meets them until they are judged.
 */
interface Staging {
  readonly tables: readonly CopiedTable[];
  /** Throws a StartFailure unless every row belongs to the store, has no id of another store's row, and names no such row. */
  judge(storeId: string): Promise<void>;
  merge(): Promise<void>;
}

const stagedName = (table: string): string => `${table}_imported`;

const NOTHING_CHANGED = 'Nothing was changed.';

/** Queries with a row if one of the rows is not of the store. */
const strangersIn = (tables: readonly string[], storeId: string): NamedQuery[] =>
  tables.map((name) => {
    const staged = stagedName(name);
    const inside = conditionOf(name, storeId);
    return { name, query: `SELECT 1 WHERE (SELECT count(*) FROM ${staged}) <> (SELECT count(*) FROM ${staged} WHERE ${inside})` };
  });

/** Queries with a row if one of the rows has the id of a row that this database has already. */
const twinsOf = (): NamedQuery[] =>
  Object.entries(FOUND_BY_ID).map(([name, id]) => ({
    name,
    query: `SELECT 1 FROM ${stagedName(name)} s JOIN ${name} r ON r.${id} = s.${id}`,
  }));

/**
 * Queries with a row if one of the rows names a row that this database has already, which is of
 * another store. A row of the file with the same id has been refused before.
 */
const crossingsOf = (tables: readonly CopiedTable[]): NamedQuery[] =>
  tables.flatMap(({ name, columns }) =>
    columns.flatMap((column) => {
      const target = NAMES_A_ROW_OF[column];
      if (target === undefined) return [];
      const query = `SELECT 1 FROM ${stagedName(name)} s JOIN ${target} r ON r.id = s.${column}`;
      return [{ name: `The ${column} of a row of ${name}`, query }];
    }),
  );

/** The columns that it leaves out get their defaults in the order of the rows. */
const insertion = ({ name, columns }: CopiedTable): string => {
  const drawn = DRAWN[name];
  const listed = columns
    .filter((column) => column !== drawn)
    .map((column) => `"${column}"`)
    .join();
  const inOrder = drawn === undefined ? '' : `ORDER BY ${drawn}`;
  const orSkip = SHARED.includes(name) ? 'ON CONFLICT DO NOTHING' : '';
  return `INSERT INTO ${name} (${listed}) SELECT ${listed} FROM ${stagedName(name)} ${inOrder} ${orSkip}`;
};

/** Makes the tables that take the rows. The names of `tables` must be those of BACKED_UP. */
const stage = async (connection: CopyConnection, tables: readonly CopiedTable[]): Promise<Staging> => {
  const names = Object.keys(BACKED_UP);
  for (const name of names) await connection.run(`CREATE TEMP TABLE ${stagedName(name)} (LIKE ${name}) ON COMMIT DROP`);
  return {
    tables: tables.map((table) => ({ ...table, into: stagedName(table.name) })),
    judge: async (storeId) => {
      const table = await connection.firstWithRows(strangersIn(names, storeId));
      if (table !== null) {
        throw new StartFailure(`The file has rows of ${table} that do not belong to its store. ${NOTHING_CHANGED}`);
      }
      const twin = await connection.firstWithRows(twinsOf());
      if (twin !== null) {
        throw new StartFailure(`The file has rows of ${twin} with ids that this database has already. ${NOTHING_CHANGED}`);
      }
      const crossing = await connection.firstWithRows(crossingsOf(tables));
      if (crossing !== null) throw new StartFailure(`${crossing} names a row of another store. ${NOTHING_CHANGED}`);
    },
    merge: async () => {
      // Tables outside stores have no rows here, and a Citus cluster refuses to write them beside those of the store.
      for (const name of names.filter((one) => BACKED_UP[one] !== 'none')) {
        const table = tables.find((one) => one.name === name);
        if (table === undefined) continue;
        await connection.run(insertion(table)).catch((error: unknown) => {
          throw refused(name, error);
        });
      }
    },
  };
};

const NOT_EMPTY = 'Restore into an empty database: for the embedded one, set DATA_DIR to a new folder. Nothing was changed.';

const apply = async ({ sql, run }: CopyConnection, migrations: readonly Migration[]): Promise<void> => {
  for (const migration of migrations) {
    const { name, checksum } = migration;
    await run(insideTransaction(migration));
    await sql.execute(RECORD_MIGRATION, { id: randomUUID(), checksum, name });
  }
};

/** Gives an empty database the schema of the archive. Throws a StartFailure when it is not empty. */
const prepare = async (connection: CopyConnection, { migrations }: ArchivedContent): Promise<void> => {
  const { sql } = connection;
  await sql.execute(LOCK_SCHEMA);
  const applied = await appliedTo(sql);
  const ours = await ownTables(connection);
  if (ours.length > 0) await connection.run(`LOCK TABLE ${ours.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  const full = await tableWithRows(connection, ours);
  if (full !== null) throw new StartFailure(`The database is not empty: ${full} has rows. ${NOT_EMPTY}`);
  if (without(applied, migrations).length > 0) {
    throw new StartFailure(`The database has the tables of another version than the backup. ${NOT_EMPTY}`);
  }
  await connection.run(TABLE);
  await apply(connection, without(await scriptsOf(migrations, 'The backup'), applied));
};

const isTaken = (what: string): StartFailure =>
  new StartFailure(`This database has a store with the id or the domain ${what} already.`);

/** Requires that the store fits into the database. Throws a StartFailure otherwise. */
const admitStore = async ({ sql }: CopyConnection, store: ArchivedStore, { migrations }: ArchivedContent): Promise<void> => {
  const applied = await appliedTo(sql);
  if (without(applied, migrations).length > 0 || without(migrations, applied).length > 0) {
    throw new StartFailure(
      'The export and this database are of different versions of Tenon. Export it again with the version of this database.',
    );
  }
  for (const taken of [store.id, store.domain]) {
    const [found] = await sql.rows(STORE_RECORD, { store: taken });
    if (found !== undefined) throw isTaken(taken);
  }
};

const sorted = (columns: readonly string[]): string => [...columns].sort().join();

/** Throws a StartFailure unless the database has the tables with the same columns, and a backup has such tables. */
const compareTables = async ({ sql }: CopyConnection, { tables }: ArchivedContent): Promise<void> => {
  const present = new Map((await sql.rows(TABLES)).map(({ name, columns }) => [name, sorted(columns)]));
  const planted = tables.find(({ name }) => Object.hasOwn(LEFT_OUT, name));
  if (planted !== undefined) throw new StartFailure(`A backup never has the table ${planted.name}. Nothing was changed.`);
  const wrong = tables.find(({ name, columns }) => present.get(name) !== sorted(columns));
  if (wrong !== undefined)
    throw new StartFailure(`The table ${wrong.name} of the backup has other columns than that of this database.`);
};

/** Throws a StartFailure unless an export has only tables that are listed. */
const admitParts = ({ tables }: ArchivedContent): void => {
  const table = tables.find(({ name }) => !Object.hasOwn(BACKED_UP, name));
  if (table !== undefined)
    throw new StartFailure(`The export of a store never has the table ${table.name}. Nothing was changed.`);
};

interface Target {
  readonly tables: readonly CopiedTable[];
  readonly fill: () => Promise<void>;
}

const restoreTarget = async (connection: CopyConnection, content: ArchivedContent, requireKeys: RequireKeys): Promise<Target> => {
  await prepare(connection, content);
  await compareTables(connection, content);
  return {
    tables: content.tables,
    fill: async () => {
      const { sql } = connection;
      for (const { name, last } of [...content.sequences, ...(await sql.rows(LAST_PENDING))])
        await sql.execute(ADVANCE, { name, last });
      // In this transaction, so that no lost answer and no kill leaves the rows without the epoch that begins behind them.
      await apply(connection, await laterThan(await appliedTo(sql)));
      await sql.execute(CLAIM_ALL);
      requireKeys((await sealedUnder(sql, { only: null, has: () => true })).counts);
    },
  };
};

const importTarget =
  (store: ArchivedStore, requireOpen: (sealed: SealedContent) => Promise<void>) =>
  async (connection: CopyConnection, content: ArchivedContent): Promise<Target> => {
    const { sql } = connection;
    admitParts(content);
    await admitStore(connection, store, content);
    await compareTables(connection, content);
    const staging = await stage(connection, content.tables);
    return {
      tables: staging.tables,
      fill: async () => {
        await staging.judge(store.id);
        // Another store may have got it meanwhile.
        if (!(await claimDomain(sql, store.domain, store.id))) throw isTaken(store.domain);
        await staging.merge();
        const secrets = await sql.rows(SEALED_OF_STORE, { storeId: store.id });
        await requireOpen({ secrets, peppers: await sql.rows(NEW_PEPPERS) });
      },
    };
  };

const complete = async ({ sql, run }: CopyConnection, { store, tables }: ArchivedContent): Promise<void> => {
  await sql.execute(BEGIN_RESTORED_EPOCH);
  if (tables.some(({ name }) => name === 'product_search')) await sql.execute(FOLD_AGAIN, { only: store?.id ?? null });
  await answerTo(run('COMMIT'));
  // The planner knows nothing of the rows before the next run of autovacuum. Failing to tell it changes no row.
  await run(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`).catch(() => undefined);
};

const load = async (
  url: string,
  content: ArchivedContent,
  targetOf: (connection: CopyConnection, content: ArchivedContent) => Promise<Target>,
): Promise<Load> => {
  const connection = await openCopyConnection(url);
  try {
    await connection.run('BEGIN');
    const { tables, fill } = await targetOf(connection, content);
    const loader = createTableLoader(connection, tables);
    return {
      write: (table, lines) => loader.write(table, lines),
      commit: async () => {
        await loader.end();
        await fill();
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
 * Begins to restore a backup. Its commit also applies the migrations that came after it. Throws a StartFailure when the database is not empty, or this version
 * does not know the schema of the backup. Before its commit, `requireKeys` is given the keys of what is sealed: it throws when one is missing.
 */
export const beginRestore = (url: string, content: ArchivedContent, requireKeys: RequireKeys): Promise<Load> =>
  load(url, content, (connection) => restoreTarget(connection, content, requireKeys));

/**
 * Begins to import a store. Throws a StartFailure when its id or its domain exists already, the
 * schema is another one, or the file has what no export has. Before its commit, every row is held
 * to the store, and `requireOpen` is given what is sealed: it throws unless the keys open all of it.
 */
export const beginImport = (
  url: string,
  content: ArchivedContent & { readonly store: ArchivedStore },
  requireOpen: (sealed: SealedContent) => Promise<void>,
): Promise<Load> => load(url, content, importTarget(content.store, requireOpen));
