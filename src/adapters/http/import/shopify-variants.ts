import type { ProductDocument, VariantDocument } from '../../../domain/catalogue/product.ts';
import type { ShopifyRow, ShopifyVariant } from './shopify-row.ts';

export const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter((text) => text !== '')),
];

export interface ShopifyOption {
  readonly number: number;
  readonly name: string;
  readonly values: readonly string[];
}

/**
 * The options of the product: one row has their names, every variant's row its values. Undefined
 * where the file has no columns for them.
 */
export const readOptions = (rows: readonly ShopifyRow[]): ShopifyOption[] | undefined => {
  if (!rows.some(({ text }) => text('Option1 Name') !== undefined && text('Option1 Value') !== undefined)) return undefined;
  return ([1, 2, 3] as const).flatMap((number) => {
    const name = rows.map(({ text }) => text(`Option${number} Name`)).find((text) => text) ?? '';
    const values = distinct(rows.map(({ variant }) => variant?.options[number - 1] ?? ''));
    // What Shopify writes for a product without options.
    const isDefault = name === 'Title' && values.length === 1 && values[0] === 'Default Title';
    return name === '' || values.length === 0 || isDefault ? [] : [{ number, name, values }];
  });
};

/**
 * A SKU for a variant without one, the same on every import: the handle with the variant's option
 * values.
 */
const derivedSku = (handle: string, options: readonly string[]): string =>
  [handle, ...options.filter((value) => value !== '' && value !== 'Default Title')]
    .map((text) => text.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, ''))
    .join('-')
    .toLowerCase();

/**
 * Undefined where it can't be known: without the other price the stored flag stays, or follows from
 * the prices of a new variant.
 */
const isOnSale = ({ price, compareAtPrice }: ShopifyVariant): boolean | undefined => {
  if (compareAtPrice === undefined) return undefined;
  if (compareAtPrice === null) return false;
  return price === undefined ? undefined : compareAtPrice > price;
};

const variantOf = (
  variant: ShopifyVariant,
  sku: string,
  options: readonly ShopifyOption[] | undefined,
  currency: string,
): VariantDocument => ({
  sku,
  currency,
  keepsCurrency: variant.price === undefined && variant.compareAtPrice == null,
  price: variant.price,
  compareAtPrice: variant.compareAtPrice,
  isOnSale: isOnSale(variant),
  barcode: variant.barcode,
  weightGrams: variant.grams,
  optionValues: options?.flatMap(({ number, name: option }) => {
    const value = variant.options[number - 1] ?? '';
    return value === '' ? [] : [{ option, value }];
  }),
  available: variant.quantity,
});

export interface ReadVariant {
  readonly document: VariantDocument;
  readonly image: string | null | undefined;
}

/**
 * The variants of the rows. An inventory export has a variant once for each location: what is the
 * same in all its rows is one variant.
 */
export const readVariants = (
  rows: readonly ShopifyRow[],
  options: readonly ShopifyOption[] | undefined,
  currency: string,
): ReadVariant[] => {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  return rows.flatMap(({ handle, variant }) => {
    if (variant === null) return [];
    const same = JSON.stringify({ ...variant, image: null });
    if (variant.sku !== '' && seen.has(same)) return [];
    seen.add(same);
    const wanted = variant.sku || derivedSku(handle, variant.options);
    const count = (counts.get(wanted) ?? 0) + 1;
    counts.set(wanted, count);
    // A SKU that the file itself repeats stays as it is; only a derived one must differ.
    const sku = variant.sku === '' && count > 1 ? `${wanted}-${count}` : wanted;
    return [{ document: variantOf(variant, sku, options, currency), image: variant.image }];
  });
};

const ownersOf = (variants: readonly ReadVariant[]): Map<string, string | null> => {
  const owners = new Map<string, string | null>();
  for (const { image, document } of variants) {
    if (image) owners.set(image, owners.has(image) ? null : document.sku);
  }
  return owners;
};

interface KnownImage {
  altText: string | null | undefined;
  readonly position: number;
}

const imagesOf = (rows: readonly ShopifyRow[], owners: ReadonlyMap<string, unknown>): Map<string, KnownImage> => {
  const images = new Map<string, KnownImage>();
  for (const { image } of rows) {
    if (image === null) continue;
    const known = images.get(image.url);
    if (known) known.altText ??= image.altText;
    else images.set(image.url, { altText: image.altText, position: image.position ?? Infinity });
  }
  for (const url of owners.keys()) if (!images.has(url)) images.set(url, { altText: undefined, position: Infinity });
  return images;
};

/**
 * Each image once, by its position; a variant's own image belongs to that variant unless several
 * have it. Undefined where the file has no column for the product's images: the variants' alone are
 * not all of them.
 */
export const readMedia = (rows: readonly ShopifyRow[], variants: readonly ReadVariant[]): ProductDocument['media'] => {
  if (!rows.some(({ text }) => text('Image Src') !== undefined)) return undefined;
  const hasPositions = rows.some(({ text }) => text('Image Position') !== undefined);
  const hasOwners = rows.some(({ variant }) => variant?.image !== undefined);
  const owners = ownersOf(variants);
  // Infinity minus Infinity is NaN, so equal positions are compared first.
  return [...imagesOf(rows, owners)]
    .sort(([, a], [, b]) => (a.position === b.position ? 0 : a.position - b.position))
    .map(([url, { altText }], at) => {
      const owner = owners.get(url);
      const ownership = owner ? { variantSku: owner } : hasOwners ? { productVariantId: null } : {};
      return { url, altText, position: hasPositions ? at + 1 : undefined, ...ownership };
    });
};
