import type { SqlType } from '../connection/sql-types.ts';

/** The type of a field's column. */
export type FieldType = SqlType | 'text[]' | 'text?' | 'uuid?';

/**
 * A table of the product document: the place of its rows in the document, and the SQL types of
 * their fields.
 */
export interface ProductTable {
  readonly table: string;
  /** The field of its parent's id, in the document; null for the product itself. */
  readonly parent: string | null;
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Its nested lists, by their name in the document. */
  readonly lists: Readonly<Record<string, ProductTable>>;
}

const nested = (
  table: string,
  parent: string,
  fields: ProductTable['fields'],
  lists: ProductTable['lists'] = {},
): ProductTable => ({ table, parent, fields, lists });

/** The lists in the order in which they are written: what refers to variants comes after them. */
export const PRODUCT_LISTS = {
  options: nested(
    'product_options',
    'productId',
    { name: 'text', position: 'int4', translations: 'jsonb' },
    {
      values: nested('product_option_values', 'productOptionId', {
        position: 'int4',
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
      isOnSale: 'bool',
      barcode: 'text',
      weightGrams: 'int4',
      hasDimensions: 'bool',
      lengthMm: 'int4',
      widthMm: 'int4',
      heightMm: 'int4',
    },
    {
      optionValues: nested('variant_option_values', 'productVariantId', { productOptionValueId: 'uuid' }),
      inventory: nested('inventory', 'productVariantId', {
        available: 'int4',
        onHand: 'int4',
        reserved: 'int4',
        concurrencyStamp: 'uuid',
        warehouseId: 'uuid',
      }),
    },
  ),
  media: nested('media', 'productId', {
    aiGenerated: 'bool',
    altText: 'text',
    assetId: 'uuid',
    contentType: 'text',
    position: 'int4',
    productVariantId: 'uuid',
    sizeBytes: 'int8',
    storageKey: 'text',
    url: 'text',
  }),
  bundleComponents: nested(
    'bundle_components',
    'productId',
    { componentProductId: 'uuid', position: 'int4' },
    {
      allowedVariants: nested('bundle_variants', 'productBundleComponentId', { productVariantId: 'uuid' }),
    },
  ),
  digitalAssets: nested('digital_assets', 'productId', {
    contentType: 'text',
    fileName: 'text',
    sizeBytes: 'int8',
    storageKey: 'text',
  }),
  personalizationFields: nested('personalization_fields', 'productId', {
    key: 'text',
    label: 'text',
    helpText: 'text',
    placeholder: 'text',
    maxLength: 'int4',
    minValue: 'float8',
    maxValue: 'float8',
    position: 'int4',
    required: 'bool',
    surcharge: 'float8',
    type: 'text',
    options: 'jsonb',
    translations: 'jsonb',
  }),
  productCategories: nested('product_categories', 'productId', { categoryId: 'uuid' }),
  specifications: nested('specifications', 'productId', { name: 'text', value: 'text', position: 'int4', translations: 'jsonb' }),
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
    position: 'int4',
    publishedAt: 'timestamptz',
    purchaseCount: 'int4',
    ratingAverage: 'float8',
    ratingCount: 'int4',
    refundable: 'bool',
    returnWindowDays: 'int4',
    sizeGuideHtml: 'text',
    tags: 'text[]',
    categoryId: 'uuid',
    taxClassId: 'uuid',
    countdownDiscountPercent: 'float8',
    countdownStartsAt: 'timestamptz',
    countdownEndsAt: 'timestamptz',
    downloadLimit: 'int4',
    downloadExpiryDays: 'int4',
    contentBlocks: 'jsonb',
    translations: 'jsonb',
  },
  lists: PRODUCT_LISTS,
};

export const CATEGORY_FIELDS = { name: 'text', slug: 'text?', parentId: 'uuid?', position: 'int4' } as const;
export const TAX_CLASS_FIELDS = { name: 'text', code: 'text', isDefault: 'bool' } as const;
