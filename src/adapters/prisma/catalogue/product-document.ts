import { CATEGORY_FIELDS, PRODUCT, PRODUCT_LISTS, TAX_CLASS_FIELDS } from './product-tables.ts';
import type { FieldType, ProductTable } from './product-tables.ts';

/** The columns of every record. tenantId is its store, and isDeleted follows from deletedAt. */
const STANDARD = { id: 'uuid', createdAt: 'timestamptz', updatedAt: 'timestamptz', deletedAt: 'timestamptz' } as const;

/** What documentFields gives of these, to be declared beside the fields of a table. */
export const STANDARD_COLUMNS = {
  tenantId: 'uuid',
  isDeleted: 'bool',
  id: 'uuid',
  createdAt: 'text',
  updatedAt: 'text?',
  deletedAt: 'text?',
} as const;

export const column = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All that is stored of a row besides its store, by the field's name in the document. */
export const storedFields = ({ parent, fields }: Pick<ProductTable, 'parent' | 'fields'>): Record<string, FieldType> => ({
  ...STANDARD,
  ...(parent === null ? {} : { [parent]: 'uuid' as const }),
  ...fields,
});

/** The select list that gives a row of `alias` the names and the notation of the document. */
export const documentFields = (alias: string, table: Pick<ProductTable, 'parent' | 'fields'>): string =>
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
    WHERE ${row}.store_id = ${parentAlias}.store_id AND ${row}.${column(table.parent ?? 'id')} = ${parentAlias}.id ORDER BY ${row}.ordinal
  ) ${element}), '[]') AS "${name}"`;
};

const single = (name: string, table: string, idColumn: string, fields: ProductTable['fields']): string =>
  `(SELECT row_to_json(o) FROM (SELECT ${documentFields('x', { parent: null, fields })} FROM ${table} x
    WHERE x.store_id = p.store_id AND x.id = p.${idColumn}) o) AS "${name}"`;

/** The select list of a whole product document; the product's row is `p`. */
export const PRODUCT_DOCUMENT = [
  documentFields('p', PRODUCT),
  single('category', 'categories', 'category_id', CATEGORY_FIELDS),
  single('taxClass', 'tax_classes', 'tax_class_id', TAX_CLASS_FIELDS),
  ...Object.entries(PRODUCT_LISTS).map(([name, table]) => list(name, table, 'p')),
].join(',\n  ');
