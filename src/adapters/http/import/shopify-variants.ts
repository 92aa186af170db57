import type { VariantDocument } from '../../../domain/catalogue/product.ts';
import type { ShopifyRow, ShopifyVariant } from './shopify-row.ts';

export const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter((text) => text !== '')),
];

export interface ShopifyOption {
  readonly number: number;
  readonly name: string;
  readonly values: readonly string[];
}

const optionOf = (rows: readonly ShopifyRow[], number: 1 | 2 | 3): ShopifyOption => ({
  number,
  name: rows.map(({ text }) => text(`Option${number} Name`)).find((text) => text) ?? '',
  values: distinct(rows.map(({ variant }) => variant?.options[number - 1] ?? '')),
});

/** Shopify says in this way that the product has no options. */
const isDefault = ({ name, values }: ShopifyOption): boolean =>
  name === 'Title' && values.length === 1 && values[0] === 'Default Title';

/** The fault of an option that has values and no name: they would be lost. */
export const unnamedOption = (rows: readonly ShopifyRow[]): string | null => {
  const found = ([1, 2, 3] as const)
    .map((number) => optionOf(rows, number))
    .find(({ name, values }) => name === '' && values.some((value) => value !== 'Default Title'));
  if (found === undefined) return null;
  const option = `Option${String(found.number)}`;
  return `${option} Value has values, and no row of the product has an ${option} Name. Name the option.`;
};

/**
 * The options of the product: one row has their names, every variant's row its values. Undefined
 * where the rows say nothing of options, and none where they say that there are none.
 */
export const readOptions = (rows: readonly ShopifyRow[]): ShopifyOption[] | undefined => {
  const said = ([1, 2, 3] as const)
    .map((number) => optionOf(rows, number))
    .filter(({ name, values }) => name !== '' && values.length > 0);
  const options = said.filter((option) => !isDefault(option));
  return said.length === 0 ? undefined : options;
};

/**
 * A SKU for a new variant without one, the same on every import: the handle with the variant's option
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
const isOnSale = ({ price, compareAtPrice }: ShopifyVariant): boolean | undefined =>
  compareAtPrice === undefined || price === undefined ? undefined : compareAtPrice > price;

const variantOf = (
  variant: ShopifyVariant,
  sku: string,
  options: readonly ShopifyOption[] | undefined,
  currency: string,
): VariantDocument => ({
  sku,
  ...(variant.sku === '' && { keepsSku: true }),
  currency,
  keepsCurrency: variant.price === undefined && variant.compareAtPrice === undefined,
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
  readonly image: string | undefined;
}

interface Reading {
  readonly currency: string;
  readonly hasLocations: boolean;
}

/**
 * The rows that have a variant. An inventory export has a variant once for each location: rows that
 * are the same in all else are one variant there.
 */
const variantRows = (rows: readonly ShopifyRow[], hasLocations: boolean): { handle: string; variant: ShopifyVariant }[] => {
  const seen = new Set<string>();
  return rows.flatMap(({ handle, variant }) => {
    if (variant === null) return [];
    if (!hasLocations) return [{ handle, variant }];
    const same = JSON.stringify({ ...variant, image: null });
    if (seen.has(same)) return [];
    seen.add(same);
    return [{ handle, variant }];
  });
};

export const readVariants = (
  rows: readonly ShopifyRow[],
  options: readonly ShopifyOption[] | undefined,
  { currency, hasLocations }: Reading,
): ReadVariant[] => {
  const counts = new Map<string, number>();
  return variantRows(rows, hasLocations).map(({ handle, variant }) => {
    const wanted = variant.sku || derivedSku(handle, variant.options);
    const count = (counts.get(wanted) ?? 0) + 1;
    counts.set(wanted, count);
    // A SKU that the file itself repeats stays as it is; only a derived one must differ.
    const sku = variant.sku === '' && count > 1 ? `${wanted}-${count}` : wanted;
    return { document: variantOf(variant, sku, options, currency), image: variant.image };
  });
};
