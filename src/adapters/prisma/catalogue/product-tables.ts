/* eslint-disable max-lines -- one list of the specification's fields */
type SqlType = 'uuid' | 'text' | 'text[]' | 'int' | 'bigint' | 'float8' | 'boolean' | 'jsonb' | 'timestamptz';

/** A table of the product document: where its rows stand in the document and what their fields are in SQL. */
export interface ProductTable {
  readonly table: string;
  /** The field of its parent's id, in the document; null for the product itself. */
  readonly parent: string | null;
  readonly fields: Readonly<Record<string, SqlType>>;
  /** Its nested lists, by their name in the document. */
  readonly lists: Readonly<Record<string, ProductTable>>;
}

const nested = (
  table: string,
  parent: string,
  fields: ProductTable['fields'],
  lists: ProductTable['lists'] = {},
): ProductTable => ({ table, parent, fields, lists });

/** The lists in the order in which they are written: what refers to variants stands after them. */
export const PRODUCT_LISTS = {
  options: nested(
    'product_options',
    'productId',
    { name: 'text', position: 'int', translations: 'jsonb' },
    {
      values: nested('product_option_values', 'productOptionId', {
        position: 'int',
        swatchHex: 'text',
        swatchImageKey: 'text',
        translations: 'jsonb',
        value: 'text',
      }),
    },
  ),
  variants: nested(
    'variants',
    'productId',
    {
      sku: 'text',
      currency: 'text',
      price: 'float8',
      compareAtPrice: 'float8',
      isOnSale: 'boolean',
      barcode: 'text',
      weightGrams: 'int',
      hasDimensions: 'boolean',
      lengthMm: 'int',
      widthMm: 'int',
      heightMm: 'int',
    },
    {
      optionValues: nested('variant_option_values', 'productVariantId', { productOptionValueId: 'uuid' }),
      inventory: nested('inventory', 'productVariantId', {
        available: 'int',
        onHand: 'int',
        reserved: 'int',
        concurrencyStamp: 'uuid',
        warehouseId: 'uuid',
      }),
    },
  ),
  media: nested('media', 'productId', {
    aiGenerated: 'boolean',
    altText: 'text',
    assetId: 'uuid',
    contentType: 'text',
    position: 'int',
    productVariantId: 'uuid',
    sizeBytes: 'bigint',
    storageKey: 'text',
    url: 'text',
  }),
  bundleComponents: nested(
    'bundle_components',
    'productId',
    { componentProductId: 'uuid', position: 'int' },
    {
      allowedVariants: nested('bundle_variants', 'productBundleComponentId', { productVariantId: 'uuid' }),
    },
  ),
  digitalAssets: nested('digital_assets', 'productId', {
    contentType: 'text',
    fileName: 'text',
    sizeBytes: 'bigint',
    storageKey: 'text',
  }),
  personalizationFields: nested('personalization_fields', 'productId', {
    key: 'text',
    label: 'text',
    helpText: 'text',
    placeholder: 'text',
    maxLength: 'int',
    minValue: 'float8',
    maxValue: 'float8',
    position: 'int',
    required: 'boolean',
    surcharge: 'float8',
    type: 'text',
    options: 'jsonb',
    translations: 'jsonb',
  }),
  productCategories: nested('product_categories', 'productId', { categoryId: 'uuid' }),
  specifications: nested('specifications', 'productId', { name: 'text', value: 'text', position: 'int', translations: 'jsonb' }),
} satisfies Record<string, ProductTable>;

export const PRODUCT: ProductTable = {
  table: 'products',
  parent: null,
  fields: {
    name: 'text',
    slug: 'text',
    description: 'text',
    metaTitle: 'text',
    metaDescription: 'text',
    kind: 'text',
    status: 'text',
    groupKey: 'text',
    position: 'int',
    publishedAt: 'timestamptz',
    purchaseCount: 'int',
    ratingAverage: 'float8',
    ratingCount: 'int',
    refundable: 'boolean',
    returnWindowDays: 'int',
    sizeGuideHtml: 'text',
    tags: 'text[]',
    categoryId: 'uuid',
    taxClassId: 'uuid',
    countdownDiscountPercent: 'float8',
    countdownStartsAt: 'timestamptz',
    countdownEndsAt: 'timestamptz',
    downloadLimit: 'int',
    downloadExpiryDays: 'int',
    contentBlocks: 'jsonb',
    translations: 'jsonb',
  },
  lists: PRODUCT_LISTS,
};

export const CATEGORY_FIELDS = { name: 'text', slug: 'text', parentId: 'uuid', position: 'int' } as const;
export const TAX_CLASS_FIELDS = { name: 'text', code: 'text', isDefault: 'boolean' } as const;

/** Of every record but tenantId (the store) and isDeleted (follows from deletedAt). */
const STANDARD = { id: 'uuid', createdAt: 'timestamptz', updatedAt: 'timestamptz', deletedAt: 'timestamptz' } as const;

export const column = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All that is stored of a row besides its store, by its name in the document. */
export const storedFields = ({ parent, fields }: Pick<ProductTable, 'parent' | 'fields'>): Record<string, SqlType> => ({
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
