import { StartFailure } from '../../startup/start-failure.ts';
import type { CopiedTable, CopyConnection, NamedQuery } from '../connection/copy-connection.ts';
import { refused } from './table-loader.ts';
import { BACKED_UP, conditionOf, DRAWN, FOUND_BY_ID, NAMES_A_ROW_OF, SHARED } from './tables.ts';

/**
 * The rows of a store's file in tables of this transaction, where no constraint, no trigger and no
 * other store meets them until they are judged.
 */
export interface Staging {
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
export const stage = async (connection: CopyConnection, tables: readonly CopiedTable[]): Promise<Staging> => {
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
