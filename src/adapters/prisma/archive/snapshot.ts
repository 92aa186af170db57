import { byStore } from '../../../domain/store-key.ts';
import type { FileId } from '../../../domain/ports/media/media-file-repository.ts';
import { StartFailure, UnknownStore } from '../../startup/start-failure.ts';
import type { Snapshot } from '../../storage/archive.ts';
import { openCopyConnection, type CopiedTable, type CopyConnection } from '../connection/copy-connection.ts';
import { SHOWN } from '../media/media-file-repository.ts';
import { MEDIA_KEYS, SEQUENCES, STORE_RECORD, TABLES } from './catalogue-statements.ts';
import { appliedTo, scriptsOf } from './schema.ts';
import { sealedUnder } from './sealed-under.ts';
import { BACKED_UP, conditionOf } from './tables.ts';

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

const storeOf = async ({ sql }: CopyConnection, store: string | null): Promise<Snapshot['store']> => {
  if (store === null) return null;
  const [found] = await sql.rows(STORE_RECORD, { store });
  if (found === undefined) throw new UnknownStore(`There is no store with the id or the domain ${store}.`);
  return found;
};

async function* mediaFilesOf({ sql }: CopyConnection, only: string | null): AsyncGenerator<FileId> {
  let last: FileId = { storeId: '00000000-0000-0000-0000-000000000000', key: '' };
  for (;;) {
    const page = await sql.rows(MEDIA_KEYS, { ...last, only });
    yield* page;
    const end = page.at(-1);
    if (end === undefined) return;
    last = end;
  }
}

const shownOf = async ({ sql, run }: CopyConnection, files: readonly FileId[], mediaUrl: string): Promise<string[]> => {
  await run('COMMIT');
  const shown: string[] = [];
  for (const [storeId, own] of byStore(files)) {
    const rows = await sql.rows(SHOWN, { mediaUrl, storeId, keys: own.map(({ key }) => key) });
    shown.push(...rows.map(({ key }) => key));
  }
  return shown;
};

/** True when a table of an older version has rows that do not name their store. */
const lacksStores = (tables: readonly CopiedTable[]): boolean =>
  tables.some(({ name, columns }) => BACKED_UP[name] === 'storeId' && !columns.includes('store_id'));

const requireStores = (tables: readonly CopiedTable[]): void => {
  if (lacksStores(tables)) {
    throw new StartFailure('This database is of an older version. Export the store with that version, or upgrade first.');
  }
};

/** The tables that the database has, locked against a migration until the end of the snapshot. */
const begin = async (connection: CopyConnection): Promise<CopiedTable[]> => {
  const present = new Map((await connection.sql.rows(TABLES)).map((table) => [table.name, table]));
  const tables = Object.keys(BACKED_UP).flatMap((name) => present.get(name) ?? []);
  if (tables.length === 0) throw new StartFailure('This database has no tables of Tenon.');
  // The first statement that reads takes the snapshot. A lock does not.
  await connection.run(`${BEGIN}; LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
  return tables;
};

/**
 * Opens a snapshot of all stores, or of one, by its id or its domain. Throws a StartFailure when
 * the database can't be reached, has no such store, has a newer schema than this version, or one so
 * old that its rows do not all name their store, which one store needs.
 */
export const openSnapshot = async (url: string, store: string | null): Promise<Snapshot> => {
  const connection = await openCopyConnection(url);
  const { sql } = connection;
  try {
    const tables = await begin(connection);
    const found = await storeOf(connection, store);
    if (found !== null) requireStores(tables);
    const only = found?.id ?? null;
    const migrations = await appliedTo(sql);
    await scriptsOf(migrations, 'This database');
    const has = (table: string): boolean => tables.some(({ name }) => name === table);
    const { counts, peppers } = await sealedUnder(sql, { only, has });
    return {
      store: found,
      migrations,
      tables,
      sequences: await sql.rows(SEQUENCES),
      sealedUnder: counts,
      peppers,
      rows: (table) => connection.copyOut(table, conditionOf(table.name, only)),
      mediaFiles: () => mediaFilesOf(connection, only),
      shown: async (files, mediaUrl) =>
        lacksStores(tables) ? files.map(({ key }) => key) : shownOf(connection, files, mediaUrl),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
};
