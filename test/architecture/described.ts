import type pg from 'pg';

import type { SqlColumn } from '../../src/adapters/prisma/connection/sql-types.ts';
import type { AnyStatement } from '../../src/adapters/prisma/connection/statement.ts';

interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

interface Description {
  readonly parameterTypes: readonly number[];
  readonly fields: readonly Field[];
}

/**
 * Has PostgreSQL parse and describe the text, without running it: what node-postgres calls a
 * Submittable.
 */
const describe = (client: pg.ClientBase, text: string): Promise<Description> =>
  new Promise((resolve, reject) => {
    let parameterTypes: readonly number[] = [];
    let fields: readonly Field[] = [];
    const onParameters = (message: { dataTypeIDs: readonly number[] }): void => {
      parameterTypes = message.dataTypeIDs;
    };
    const query = {
      submit: (connection: pg.Connection) => {
        connection.once('parameterDescription', onParameters);
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: (message: { fields: readonly Field[] }) => {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: (connection: pg.Connection) => {
        connection.off('parameterDescription', onParameters);
        resolve({ parameterTypes, fields });
      },
    };
    client.query(query as unknown as pg.Submittable);
  });

interface TableColumn {
  readonly notNull: boolean;
  /** Values that a CHECK lists, where there is one. */
  readonly values: readonly string[] | null;
}

/** Types and columns of the migrated schema. */
export interface Catalogue {
  /** An array of a type is `type[]`. */
  readonly types: ReadonlyMap<number, string>;
  /** By `table/column`, as numbers. */
  readonly columns: ReadonlyMap<string, TableColumn>;
}

const LISTED = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/;
const listed = (checks: readonly string[]): string[] | null => {
  const list = checks.map((check) => LISTED.exec(check)?.[1]).find((found) => found !== undefined);
  return list === undefined ? null : [...list.matchAll(/'([^']*)'/g)].map(([, value]) => value ?? '');
};

export const readCatalogue = async (client: pg.ClientBase): Promise<Catalogue> => {
  const types = await client.query<{ oid: number; name: string }>('SELECT oid::int, typname::text AS name FROM pg_type');
  const columns = await client.query<{ table: number; column: number; notNull: boolean; checks: string[] }>(
    `SELECT a.attrelid::int AS table, a.attnum::int AS column, a.attnotnull AS "notNull",
       ARRAY(SELECT pg_get_constraintdef(c.oid) FROM pg_constraint c
             WHERE c.conrelid = a.attrelid AND c.contype = 'c' AND c.conkey = ARRAY[a.attnum]) AS checks
     FROM pg_attribute a WHERE a.attnum > 0`,
  );
  return {
    types: new Map(types.rows.map(({ oid, name }) => [oid, name.startsWith('_') ? `${name.slice(1)}[]` : name])),
    columns: new Map(
      columns.rows.map(({ table, column, notNull, checks }) => [
        `${String(table)}/${String(column)}`,
        { notNull, values: listed(checks) },
      ]),
    ),
  };
};

const typeOf = (column: SqlColumn): string => (typeof column === 'string' ? column : column.type);
/** The type without what is said of null. */
const bare = (type: string): string => type.replace(/[?!]/g, '');

const OUTER_JOIN = /\b(?:LEFT|RIGHT|FULL)\b/;

const nullFault = (type: string, { notNull }: TableColumn, text: string): string | null => {
  if (type.endsWith('?')) return notNull && !OUTER_JOIN.test(text) ? 'is declared nullable, and the table says NOT NULL' : null;
  if (type.endsWith('!')) return notNull ? 'needs no !: the table says NOT NULL' : null;
  return notNull ? null : 'may be null: declare it with ? or !';
};

const valuesFault = (column: SqlColumn, { values }: TableColumn): string | null => {
  const declared = typeof column === 'string' ? null : column.values;
  const missing = declared && values ? values.filter((value) => !declared.includes(value)) : [];
  return missing.length === 0 ? null : `may also be ${missing.join(', ')}`;
};

const fieldFaults = (statement: AnyStatement, field: Field, catalogue: Catalogue): string[] => {
  const column = statement.columns[field.name];
  const type = catalogue.types.get(field.dataTypeID) ?? String(field.dataTypeID);
  if (column === undefined) return [`column ${field.name}: is ${type}, and is not declared`];
  const declared = typeOf(column);
  if (bare(declared) !== type) return [`column ${field.name}: is ${type}, and is declared ${declared}`];
  const origin = catalogue.columns.get(`${String(field.tableID)}/${String(field.columnID)}`);
  if (!origin) return [];
  const faults = [nullFault(declared, origin, statement.text), valuesFault(column, origin)];
  return faults.flatMap((fault) => (fault === null ? [] : [`column ${field.name}: ${fault}`]));
};

const parameterFaults = ({ parameters }: AnyStatement, types: readonly number[], catalogue: Catalogue): string[] =>
  Object.entries(parameters).flatMap(([name, declared], index) => {
    const type = catalogue.types.get(types[index] ?? 0) ?? 'unknown';
    return bare(declared) === type ? [] : [`parameter ${name}: is ${type}, and is declared ${declared}`];
  });

/**
 * Where a statement's declaration differs from what PostgreSQL says of its text; empty when they
 * agree.
 */
export const faultsOf = async (client: pg.ClientBase, statement: AnyStatement, catalogue: Catalogue): Promise<string[]> => {
  let described: Description;
  try {
    described = await describe(client, statement.text);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const { parameterTypes, fields } = described;
  const names = fields.map(({ name }) => name);
  const isRead = Object.keys(statement.columns).length > 0;
  // A function that gives nothing makes a column all the same.
  const read = isRead ? fields : fields.filter(({ dataTypeID }) => catalogue.types.get(dataTypeID) !== 'void');
  return [
    ...parameterFaults(statement, parameterTypes, catalogue),
    ...read.flatMap((field) => fieldFaults(statement, field, catalogue)),
    ...Object.keys(statement.columns).flatMap((name) =>
      names.includes(name) ? [] : [`column ${name}: is declared, and missing`],
    ),
    ...(new Set(names).size === names.length ? [] : ['two columns have the same name']),
  ];
};
