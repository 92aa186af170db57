import { listFigures } from '../../../domain/catalogue/list-figures.ts';
import type { ListFigures } from '../../../domain/catalogue/list-figures.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import { inOrder } from '../connection/savepoint.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { storedFields } from './product-document.ts';
import { SEARCH_PARAMETERS, searchValues, WRITE_SEARCH } from './product-search.ts';
import { PRODUCT, PRODUCT_LISTS } from './product-tables.ts';
import type { ProductTable } from './product-tables.ts';
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

const PRODUCT_FIELDS = { ...storedFields(PRODUCT), ...FIGURES };

/** Gives what was there before: one statement sees the rows as they were when it began. */
const UPSERT_PRODUCTS = statement({
  text: `
    WITH before AS (
      SELECT id, slug, deleted_at IS NULL AS live, created_at AS "createdAt" FROM products WHERE store_id = $storeId AND id = ANY ($ids)),
    written AS (${upsertText(PRODUCT.table, PRODUCT_FIELDS)}),
    searched AS (${WRITE_SEARCH})
    SELECT * FROM before`,
  parameters: { storeId: 'uuid', rows: 'json', ...SEARCH_PARAMETERS },
  row: { id: 'uuid', slug: 'text?', live: 'bool', createdAt: 'timestamptz' },
});

/** A product as it was before it was written. */
export interface ProductBefore {
  readonly id: string;
  readonly slug: string | null;
  readonly live: boolean;
  readonly createdAt: Date;
}

/** Fields that are not columns of the row's own table. JSON.stringify leaves undefined ones out. */
const omitted = (...names: readonly string[]): Readonly<Record<string, undefined>> =>
  Object.fromEntries(['tenantId', 'isDeleted', ...names].map((name) => [name, undefined]));

const PRODUCT_OMITTED = omitted(...Object.keys(PRODUCT_LISTS), 'category', 'taxClass');

/**
 * `ordinal` first: a spread is copied at once, but each field after it that it does not have costs
 * as much as all of it.
 */
const numberedRows = (table: ProductTable): ((elements: readonly object[]) => object[]) => {
  const left = omitted(...Object.keys(table.lists));
  return (elements) => elements.map((element, ordinal) => ({ ordinal, ...element, ...left }));
};

const elementsOf = (parents: readonly object[], name: string): (readonly object[])[] =>
  parents.map((parent) => (parent as Readonly<Record<string, unknown>>)[name] as readonly object[]);

interface ListTable {
  readonly table: ProductTable;
  /** The rows of a product, in their order. */
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
    parameters: { storeId: 'uuid', rows: 'json' },
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

/** Writes the products' own rows. Returns those that had rows, as they were. */
export const upsertProducts = (sql: Sql, storeId: string, products: readonly Product[]): Promise<ProductBefore[]> => {
  // A spread of both would take seven times as long: see numberedRows.
  const rows = products.map((product) => Object.assign({}, product, listFigures(product), PRODUCT_OMITTED));
  return sql.rows(UPSERT_PRODUCTS, { storeId, rows: JSON.stringify(rows), ...searchValues(products) });
};

/** The rows of the products' lists. Tables without rows are left out. */
export const nestedRows = (products: readonly Product[]): NestedRows[] =>
  INSERTS.flatMap(({ insert, rows: rowsOf }) => {
    const rows = products.flatMap(rowsOf);
    return rows.length > 0 ? [{ insert, rows: JSON.stringify(rows) }] : [];
  });

/** Writes the rows of the lists, in place of those that the products of `ids` had. */
export const replaceNested = async (
  sql: Sql,
  storeId: string,
  ids: readonly string[],
  nested: readonly NestedRows[],
): Promise<void> => {
  const deleted = ids.length > 0 ? DELETES.map((remove) => sql.execute(remove, { storeId, ids })) : [];
  await inOrder([...deleted, ...nested.map(({ insert, rows }) => sql.execute(insert, { storeId, rows }))]);
};
