import { openCopyConnection, type CopyConnection } from '../connection/copy-connection.ts';
import { TABLES } from './catalogue-statements.ts';
import { BACKED_UP, MAY_HAVE_ROWS } from './tables.ts';

/** The tables of a backup that the database has: none before the first migration. */
export const ownTables = async ({ sql }: CopyConnection): Promise<readonly string[]> => {
  const present = new Set((await sql.rows(TABLES)).map(({ name }) => name));
  return Object.keys(BACKED_UP).filter((name) => present.has(name));
};

/** Returns a table with rows that show use of the server, or null. */
export const tableWithRows = (connection: CopyConnection, tables: readonly string[]): Promise<string | null> =>
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
