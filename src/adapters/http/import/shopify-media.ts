import type { ProductDocument } from '../../../domain/catalogue/product.ts';
import type { ShopifyRow } from './shopify-row.ts';
import type { ReadVariant } from './shopify-variants.ts';

/** The place of the variant that each image belongs to; null for an image of several. */
const ownersOf = (variants: readonly ReadVariant[]): Map<string, number | null> => {
  const owners = new Map<string, number | null>();
  for (const [at, { image }] of variants.entries()) {
    if (image !== undefined) owners.set(image, owners.has(image) ? null : at);
  }
  return owners;
};

interface KnownImage {
  altText: string | undefined;
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
 * have it. The images of variants alone are not all of the product's: it keeps its others. Nothing
 * where the rows name no image.
 */
export const readMedia = (
  rows: readonly ShopifyRow[],
  variants: readonly ReadVariant[],
): Pick<ProductDocument, 'media' | 'keepsMedia'> => {
  const hasPositions = rows.some(({ spelt }) => spelt('Image Position') !== undefined);
  const owners = ownersOf(variants);
  const images = imagesOf(rows, owners);
  if (images.size === 0) return { media: undefined };
  // Infinity minus Infinity is NaN, so equal positions are compared first.
  const media = [...images]
    .sort(([, a], [, b]) => (a.position === b.position ? 0 : a.position - b.position))
    .map(([url, { altText }], at) => ({
      ...{ url, altText, position: hasPositions ? at + 1 : undefined },
      ...(owners.has(url) && { variantAt: owners.get(url) ?? null }),
    }));
  return rows.some(({ image }) => image !== null) ? { media } : { media, keepsMedia: true };
};
