import { CATEGORIES, PRODUCT_TABLE, PRODUCT_LISTS, TAX_CLASSES } from './product-tables.ts';
import { storedFields, type ProductTable } from './tables-of.ts';

export const column = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The select list that gives a row of `alias` the names and the notation of the document. */
export const documentFields = (alias: string, table: ProductTable): string =>
  [
    `${alias}.store_id AS "tenantId"`,
    `${alias}.deleted_at IS NOT NULL AS "isDeleted"`,
    ...Object.entries(storedFields(table)).map(([field, type]) =>
      type === 'timestamptz' ? `iso(${alias}.${column(field)}) AS "${field}"` : `${alias}.${column(field)} AS "${field}"`,
    ),
  ].join(', ');

let aliases = 0;

const list = (name: string, table: ProductTable, parentAlias: string): string => {
  aliases += 1;
  const [row, element] = [`t${String(aliases)}`, `e${String(aliases)}`];
  const inner = Object.entries(table.lists).map(([child, childTable]) => list(child, childTable, row));
  return `coalesce((SELECT json_agg(${element}) FROM (
    SELECT ${[documentFields(row, table), ...inner].join(', ')} FROM ${table.table} ${row}
    WHERE ${row}.store_id = $storeId AND ${row}.${column(table.parent ?? 'id')} = ${parentAlias}.id ORDER BY ${row}.ordinal
  ) ${element}), '[]') AS "${name}"`;
};

const single = (name: string, table: ProductTable, idColumn: string): string =>
  `(SELECT row_to_json(o) FROM (SELECT ${documentFields('x', table)} FROM ${table.table} x
    WHERE x.store_id = $storeId AND x.id = p.${idColumn}) o) AS "${name}"`;

const { variants } = PRODUCT_LISTS;

/** The select list of a whole variant, as in the product document; its row is `v`. */
export const VARIANT_DOCUMENT = [
  documentFields('v', variants),
  ...Object.entries(variants.lists).map(([name, table]) => list(name, table, 'v')),
].join(',\n  ');

/** The select list of a whole product document; the product's row is `p`. */
export const PRODUCT_DOCUMENT = [
  documentFields('p', PRODUCT_TABLE),
  single('category', CATEGORIES, 'category_id'),
  single('taxClass', TAX_CLASSES, 'tax_class_id'),
  ...Object.entries(PRODUCT_LISTS).map(([name, table]) => list(name, table, 'p')),
].join(',\n  ');
