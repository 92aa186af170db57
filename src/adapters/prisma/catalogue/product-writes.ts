import { listFigures } from '../../../domain/catalogue/list-figures.ts';
import type { ListFigures } from '../../../domain/catalogue/list-figures.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import { searchValues, WRITE_SEARCH } from './product-search.ts';
import type { Sql } from '../connection/sql.ts';
import { column, PRODUCT, PRODUCT_LISTS, storedFields } from './product-tables.ts';
import type { ProductTable } from './product-tables.ts';

const FIGURES = {
  currency: 'text',
  minPrice: 'float8',
  maxPrice: 'float8',
  totalInventory: 'int',
  variantCount: 'int',
  thumbnailUrl: 'text',
  thumbnailAlt: 'text',
} as const satisfies Record<keyof ListFigures, string>;

/** One statement whatever the number of rows: they come as one JSON array whose elements' fields are named as in the document. */
const insertText = (table: string, fields: Record<string, string>): string => {
  const names = Object.keys(fields);
  return `INSERT INTO ${table} (store_id, ${names.map(column).join(', ')})
    SELECT $1, ${names.map((name) => `r."${name}"`).join(', ')}
    FROM json_to_recordset($2::json) AS r(${names.map((name) => `"${name}" ${String(fields[name])}`).join(', ')})`;
};

export const upsertText = (table: string, fields: Record<string, string>): string =>
  `${insertText(table, fields)}
   ON CONFLICT (store_id, id) DO UPDATE SET ${Object.keys(fields)
     .filter((name) => name !== 'id')
     .map((name) => `${column(name)} = excluded.${column(name)}`)
     .join(', ')}`;

const PRODUCT_FIELDS = { ...storedFields(PRODUCT), ...FIGURES };

/** Fields that are not columns of the row's own table. Undefined ones are left out by JSON.stringify. */
const omitted = (...names: readonly string[]): Readonly<Record<string, undefined>> =>
  Object.fromEntries(['tenantId', 'isDeleted', ...names].map((name) => [name, undefined]));

const PRODUCT_OMITTED = omitted(...Object.keys(PRODUCT_LISTS), 'category', 'taxClass');

// One statement sees the rows as they were before it.
const UPSERT_PRODUCTS = `
  WITH before AS (
    SELECT id, slug, deleted_at IS NULL AS live, created_at AS "createdAt" FROM products WHERE store_id = $1 AND id = ANY ($3::uuid[])),
  written AS (${upsertText(PRODUCT.table, PRODUCT_FIELDS)}),
  searched AS (${WRITE_SEARCH})
  SELECT * FROM before`;

/** What was there of a product before it was written. */
export interface ProductBefore {
  readonly id: string;
  readonly slug: string | null;
  readonly live: boolean;
  readonly createdAt: Date;
}

interface Insert {
  readonly text: string;
  /** The rows of a product, in their order. */
  readonly rows: (product: Product) => readonly object[];
}

type Nested = Readonly<Record<string, unknown>>;

const insertOf = (table: ProductTable): string => insertText(table.table, { ...storedFields(table), ordinal: 'int' });

/** Spreading an object and overwriting what is omitted is several times as fast as copying field by field. */
const numberedRows = (table: ProductTable): ((elements: readonly object[]) => object[]) => {
  const left = omitted(...Object.keys(table.lists));
  return (elements) => elements.map((element, ordinal) => ({ ...element, ordinal, ...left }));
};

const childrenOf = (parents: readonly object[], name: string): readonly (readonly object[])[] =>
  parents.map((parent) => (parent as Nested)[name] as readonly object[]);

/** The table of a parent comes before those of its children. */
const INSERTS: readonly Insert[] = Object.entries(PRODUCT_LISTS).flatMap(([name, table]: [string, ProductTable]) => {
  const elements = (product: Product): readonly object[] => (product as unknown as Nested)[name] as readonly object[];
  const numbered = numberedRows(table);
  return [
    { text: insertOf(table), rows: (product) => numbered(elements(product)) },
    ...Object.entries(table.lists).map(([child, childTable]) => {
      const numberedChildren = numberedRows(childTable);
      return {
        text: insertOf(childTable),
        rows: (product: Product) => childrenOf(elements(product), child).flatMap(numberedChildren),
      };
    }),
  ] satisfies Insert[];
});

/** Media first, since they refer to variants; what hangs on the deleted rows goes with them. */
const DELETES: readonly string[] = Object.values(PRODUCT_LISTS)
  .map(({ table }) => table)
  .sort((a, b) => Number(b === 'media') - Number(a === 'media'))
  .map((table) => `DELETE FROM ${table} WHERE store_id = $1 AND product_id = ANY ($2::uuid[])`);

/** Writes whole products in a number of statements that does not grow with them. Returns those that had rows before, as they were. */
export const writeProducts = async (sql: Sql, storeId: string, products: readonly Product[]): Promise<ProductBefore[]> => {
  const rows = products.map((product) => ({ ...product, ...listFigures(product), ...PRODUCT_OMITTED }));
  const before = await sql.query<ProductBefore>(UPSERT_PRODUCTS, [storeId, JSON.stringify(rows), ...searchValues(products)]);
  const existing = before.map(({ id }) => id);
  if (existing.length > 0) for (const text of DELETES) await sql.query(text, [storeId, existing]);
  for (const { text, rows: rowsOf } of INSERTS) {
    const all = products.flatMap(rowsOf);
    if (all.length > 0) await sql.query(text, [storeId, JSON.stringify(all)]);
  }
  return before;
};
