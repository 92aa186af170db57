import type { ProductDocument, ProductKind, VariantDocument } from '../../domain/catalogue/product.ts';
import { normaliseSlug } from '../../domain/catalogue/slug.ts';
import { BUNDLES, DEMO_CATEGORIES, DIGITAL, GOODS, WRAPS } from './tables.ts';

const GROUPS = ['product', 'category', 'taxClass', 'collection', 'warehouse', 'nested', 'variant', 'stamp', 'asset'] as const;

/** The demo's ids are the same on every machine, so that examples can be pasted. */
export const demoId = (group: (typeof GROUPS)[number], number: number): string =>
  `de300000-0000-4000-8${GROUPS.indexOf(group).toString(16).padStart(3, '0')}-${number.toString(16).padStart(12, '0')}`;

const EPOCH = Date.UTC(2026, 0, 5, 8);
const HOUR = 3_600_000;
export const at = (hours: number): string => new Date(EPOCH + hours * HOUR).toISOString();

export const slugOf = (name: string): string => normaliseSlug(name) ?? name;
export const categoryId = (key: string): string => demoId('category', DEMO_CATEGORIES.findIndex(([known]) => known === key) + 1);
export const DEMO_TAX_CLASS = demoId('taxClass', 1);
const WAREHOUSE = demoId('warehouse', 1);

const NAMES = [GOODS, DIGITAL, WRAPS, BUNDLES].flatMap((rows) => rows.map(([name]) => name));
export const demoNumberOf = (name: string): number => NAMES.indexOf(name) + 1;
export const productId = (name: string): string => demoId('product', demoNumberOf(name));
/** A product has fewer than 16 variants. */
export const variantId = (name: string, index: number): string => demoId('variant', demoNumberOf(name) * 16 + index);

interface VariantRow {
  readonly name: string;
  readonly index: number;
  readonly price: number;
  readonly grams: number;
  readonly stock: number;
  readonly choice?: { readonly option: string; readonly value: string };
}

export const variant = (row: VariantRow, currency: string): VariantDocument => {
  const number = demoNumberOf(row.name);
  const price = Math.round(row.price * (1 + row.index / 8) * 100) / 100;
  const isOnSale = number % 7 === 0;
  const sold = row.grams === 0 ? 0 : (number + row.index) % 4;
  const box = row.grams === 0 ? null : 40 + (number % 9) * 30;
  return {
    id: variantId(row.name, row.index),
    sku: `TN-${String(number).padStart(3, '0')}-${row.index + 1}`,
    currency,
    price,
    compareAtPrice: isOnSale ? Math.round(price * 120) / 100 : null,
    isOnSale,
    barcode: row.grams === 0 ? null : `200${String(number).padStart(6, '0')}${row.index + 1}`,
    weightGrams: row.grams,
    hasDimensions: box !== null,
    lengthMm: box === null ? null : box * 5,
    widthMm: box,
    heightMm: box,
    optionValues: row.choice ? [row.choice] : [],
    inventory: [
      {
        warehouseId: WAREHOUSE,
        onHand: row.stock,
        reserved: sold,
        available: row.stock - sold,
        concurrencyStamp: demoId('stamp', number * 16 + row.index),
      },
    ],
  };
};

const media = (name: string): ProductDocument['media'] => {
  const slug = slugOf(name);
  return ['front', 'detail'].map((view, index) => ({
    url: `https://images.tenon.example/demo/${slug}-${view}.jpg`,
    storageKey: `demo/${slug}-${view}.jpg`,
    contentType: 'image/jpeg',
    altText: `${name}, ${view}`,
    sizeBytes: 180_000 + name.length * 1_024,
    position: index + 1,
    aiGenerated: view === 'detail' && demoNumberOf(name) % 10 === 0,
    assetId: demoId('asset', demoNumberOf(name) * 2 + index),
    productVariantId: view === 'detail' ? variantId(name, 0) : null,
  }));
};

export const base = (
  name: string,
  kind: ProductKind,
  category: string,
  text: string,
  tags: readonly string[],
): ProductDocument => {
  const number = demoNumberOf(name);
  return {
    id: productId(name),
    createdAt: at(number),
    updatedAt: number % 2 === 0 ? at(number + 24) : null,
    name,
    slug: slugOf(name),
    description: `<p>${text}</p>`,
    metaTitle: `${name} | Tenon demo`,
    metaDescription: text,
    kind,
    status: number % 29 === 0 ? 'Archived' : number % 19 === 0 ? 'Draft' : 'Active',
    position: number,
    publishedAt: number % 19 === 0 ? null : at(number + 1),
    purchaseCount: (number * 37) % 400,
    ratingAverage: 3.5 + (number % 4) / 2 - (number % 4 === 3 ? 0.5 : 0),
    ratingCount: (number * 13) % 120,
    refundable: kind !== 'Digital',
    returnWindowDays: kind === 'Digital' ? null : 30,
    tags: [...tags],
    categoryId: categoryId(category),
    taxClassId: DEMO_TAX_CLASS,
    productCategories: [{ categoryId: categoryId(category) }],
    media: media(name),
  };
};
