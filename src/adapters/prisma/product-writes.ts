import { listFigures } from '../../domain/list-figures.ts';
import type { ListFigures } from '../../domain/list-figures.ts';
import type { Product } from '../../domain/product.ts';
import type { Sql } from './database.ts';
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

const UPSERT_PRODUCTS = upsertText(PRODUCT.table, { ...storedFields(PRODUCT), ...FIGURES });

const insertOf = (table: ProductTable): string => insertText(table.table, { ...storedFields(table), ordinal: 'int' });

interface Insert {
  readonly text: string;
  /** The rows of a product, in their order. */
  readonly rows: (product: Product) => readonly object[];
}

type Nested = Readonly<Record<string, unknown>>;

const numbered = (elements: readonly object[]): object[] => elements.map((element, ordinal) => ({ ...element, ordinal }));

const childrenOf = (parents: readonly object[], name: string): readonly (readonly object[])[] =>
  parents.map((parent) => (parent as Nested)[name] as readonly object[]);

/** A parent's table stands before its children's. */
const INSERTS: readonly Insert[] = Object.entries(PRODUCT_LISTS).flatMap(([name, table]: [string, ProductTable]) => {
  const elements = (product: Product): readonly object[] => (product as unknown as Nested)[name] as readonly object[];
  return [
    { text: insertOf(table), rows: (product) => numbered(elements(product)) },
    ...Object.entries(table.lists).map(([child, childTable]) => ({
      text: insertOf(childTable),
      rows: (product: Product) => childrenOf(elements(product), child).flatMap(numbered),
    })),
  ] satisfies Insert[];
});

/** Media first, since they refer to variants; what hangs on the deleted rows goes with them. */
const DELETES: readonly string[] = Object.values(PRODUCT_LISTS)
  .map(({ table }) => table)
  .sort((a, b) => Number(b === 'media') - Number(a === 'media'))
  .map((table) => `DELETE FROM ${table} WHERE store_id = $1 AND product_id = ANY ($2::uuid[])`);

const json = (rows: readonly object[]): string => JSON.stringify(rows);

/** Writes whole products in a number of statements that does not grow with them; `existing` are the ids of those that had rows before. */
export const writeProducts = async (
  sql: Sql,
  storeId: string,
  products: readonly Product[],
  existing: readonly string[],
): Promise<void> => {
  await sql.query(UPSERT_PRODUCTS, [storeId, json(products.map((product) => ({ ...product, ...listFigures(product) })))]);
  if (existing.length > 0) for (const text of DELETES) await sql.query(text, [storeId, existing]);
  for (const { text, rows } of INSERTS) {
    const all = products.flatMap(rows);
    if (all.length > 0) await sql.query(text, [storeId, json(all)]);
  }
};
