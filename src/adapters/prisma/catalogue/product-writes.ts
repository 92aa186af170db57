import { listFigures, type ListFigures } from '../../../domain/catalogue/list-figures.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import { inOrder } from '../connection/savepoint.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { newRevision, REVISION } from '../reading/revision.ts';
import { INSERT_SEARCH, searchRows, WRITE_SEARCH } from './product-search.ts';
import { PRODUCT_TABLE, PRODUCT_LISTS } from './product-tables.ts';
import { storedFields, type ProductTable } from './tables-of.ts';
import { insertText, upsertText } from './upsert.ts';

const FIGURES = {
  currency: 'text',
  minPrice: 'float8',
  maxPrice: 'float8',
  totalInventory: 'int4',
  variantCount: 'int4',
  thumbnailUrl: 'text',
  thumbnailAlt: 'text',
} as const satisfies Record<keyof ListFigures, string>;

const PRODUCT_FIELDS = { ...storedFields(PRODUCT_TABLE), ...FIGURES, ...REVISION };

const BEFORE = statement({
  text: `
    SELECT id, slug, deleted_at IS NULL AS live, created_at AS "createdAt" FROM products WHERE store_id = $storeId AND id = ANY ($ids)`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid', slug: 'text?', live: 'bool', createdAt: 'timestamptz' },
});

const ROWS = { storeId: 'uuid', rows: 'json' } as const;

const UPSERT_PRODUCTS = statement({ text: upsertText(PRODUCT_TABLE.table, PRODUCT_FIELDS), parameters: ROWS });

/** Inserts new products: PostgreSQL looks for no row to replace. */
const INSERT_PRODUCTS = statement({ text: insertText(PRODUCT_TABLE.table, PRODUCT_FIELDS), parameters: ROWS });

export interface ProductBefore {
  readonly id: string;
  readonly slug: string | null;
  readonly live: boolean;
  readonly createdAt: Date;
}

/**
 * Copies the fields of a row that have a value. PostgreSQL takes an absent one for null, and neither
 * side spends time on it.
 */
const copyFields = (names: readonly string[]) => {
  return (row: Record<string, unknown>, from: object): Record<string, unknown> => {
    for (const name of names) {
      const value = (from as Readonly<Record<string, unknown>>)[name];
      if (value !== null) row[name] = value;
    }
    return row;
  };
};

const copyProduct = copyFields(Object.keys(storedFields(PRODUCT_TABLE)));
const copyFigures = copyFields(Object.keys(FIGURES));

const numberedRows = (table: ProductTable): ((elements: readonly object[]) => object[]) => {
  const copy = copyFields(Object.keys(storedFields(table)));
  return (elements) => elements.map((element, ordinal) => copy({ ordinal }, element));
};

const elementsOf = (parents: readonly object[], name: string): (readonly object[])[] =>
  parents.map((parent) => (parent as Readonly<Record<string, unknown>>)[name] as readonly object[]);

interface ListTable {
  readonly table: ProductTable;
  readonly rows: (product: Product) => readonly object[];
}

/** The table of a parent comes before those of its children. */
const LIST_TABLES: readonly ListTable[] = Object.entries(PRODUCT_LISTS).flatMap(([name, table]: [string, ProductTable]) => {
  const numbered = numberedRows(table);
  const children = Object.entries(table.lists).map(([child, childTable]): ListTable => {
    const numberedChildren = numberedRows(childTable);
    const rows = (product: Product) => elementsOf(elementsOf([product], name).flat(), child).flatMap(numberedChildren);
    return { table: childTable, rows };
  });
  return [{ table, rows: (product) => elementsOf([product], name).flatMap(numbered) }, ...children];
});

const INSERTS = LIST_TABLES.map(({ table, rows }) => ({
  rows,
  insert: statement({
    text: insertText(table.table, { ...storedFields(table), ordinal: 'int4' }),
    parameters: ROWS,
  }),
}));

/**
 * Media first, since they refer to variants. The rows that belong to the deleted ones are deleted
 * with them.
 */
const DELETES = Object.values(PRODUCT_LISTS)
  .map(({ table }) => table)
  .sort((a, b) => Number(b === 'media') - Number(a === 'media'))
  .map((table) =>
    statement({
      text: `DELETE FROM ${table} WHERE store_id = $storeId AND product_id = ANY ($ids)`,
      parameters: { storeId: 'uuid', ids: 'uuid[]' },
    }),
  );

interface NestedRows {
  readonly insert: (typeof INSERTS)[number]['insert'];
  /** JSON. */
  readonly rows: string;
}

const productRows = (storeId: string, products: readonly Product[]) => {
  const rows = products.map((product) => copyFigures(copyProduct(newRevision(), product), listFigures(product)));
  return { storeId, rows: JSON.stringify(rows) };
};

/** Gives what was there before. No statement waits for another. */
export const upsertProducts = async (sql: Sql, storeId: string, products: readonly Product[]): Promise<ProductBefore[]> => {
  const before = sql.rows(BEFORE, { storeId, ids: products.map(({ id }) => id) });
  const written = sql.execute(UPSERT_PRODUCTS, productRows(storeId, products));
  await inOrder([before, written, sql.execute(WRITE_SEARCH, searchRows(storeId, products))]);
  return before;
};

/** Writes the own rows of products that the store does not have. */
export const insertProducts = (sql: Sql, storeId: string, products: readonly Product[]): Promise<void> =>
  inOrder([
    sql.execute(INSERT_PRODUCTS, productRows(storeId, products)),
    sql.execute(INSERT_SEARCH, searchRows(storeId, products)),
  ]);

/** The rows of the products' lists. Tables without rows are left out. */
export const nestedRows = (products: readonly Product[]): NestedRows[] =>
  INSERTS.flatMap(({ insert, rows: rowsOf }) => {
    const rows = products.flatMap(rowsOf);
    return rows.length > 0 ? [{ insert, rows: JSON.stringify(rows) }] : [];
  });

export const replaceNested = async (
  sql: Sql,
  storeId: string,
  ids: readonly string[],
  nested: readonly NestedRows[],
): Promise<void> => {
  const deleted = ids.length > 0 ? DELETES.map((remove) => sql.execute(remove, { storeId, ids })) : [];
  await inOrder([...deleted, ...nested.map(({ insert, rows }) => sql.execute(insert, { storeId, rows }))]);
};
