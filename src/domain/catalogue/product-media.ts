import type { ItemContent } from '../media/media-import.ts';
import type { KnownFile } from '../ports/media/media-file-repository.ts';
import { ok, refuse, type Refusal, type Result } from '../result.ts';
import type { NewEvent } from '../webhooks/event.ts';
import { live } from './live.ts';
import { newRecord } from './new-record.ts';
import type { Media, Product } from './product.ts';
import { MAX_INT32 } from '../values/int32.ts';

const MISSING_TARGETS = {
  product_not_found: 'The product does not exist in this store.',
  variant_not_found: 'The product does not have this variant.',
};
export type MissingTarget = keyof typeof MISSING_TARGETS;

export const targetNotFound = (code: MissingTarget): Refusal<MissingTarget> => refuse(code, MISSING_TARGETS[code]);

/** The product, as it is now, that the item's media joins. */
export const mediaTarget = (product: Product | undefined, { productVariantId }: ItemContent): Result<Product, MissingTarget> => {
  if (!product || product.isDeleted) return targetNotFound('product_not_found');
  const isVariant = ({ id, isDeleted }: Product['variants'][number]): boolean => id === productVariantId && !isDeleted;
  return productVariantId === null || product.variants.some(isVariant) ? ok(product) : targetNotFound('variant_not_found');
};

const nextPosition = ({ media }: Product): number => {
  return Math.min(live(media).reduce((last, { position }) => Math.max(last, position), -1) + 1, MAX_INT32);
};

/** The media that an item becomes. `url` is the address of its file; `now` is ISO 8601. */
export const newMedia = (
  product: Product,
  { mediaId, ...item }: ItemContent & { readonly mediaId: string },
  file: KnownFile,
  { url, now }: { readonly url: string; readonly now: string },
): Media => ({
  ...newRecord(mediaId, product.tenantId, now),
  aiGenerated: item.aiGenerated,
  altText: item.altText,
  assetId: null,
  contentType: file.contentType,
  position: item.position ?? nextPosition(product),
  productId: product.id,
  productVariantId: item.productVariantId,
  sizeBytes: file.sizeBytes,
  storageKey: file.key,
  url,
});

/** The product.updated event of an added media. `origin` is the installation that requested it. */
export const mediaAdded = (product: Product, media: Media, origin: string): NewEvent => ({
  storeId: product.tenantId,
  type: 'product.updated',
  resourceId: product.id,
  origin,
  data: {
    id: product.id,
    changedFields: ['media'],
    previous: { media: product.media },
    current: { media: [...product.media, media] },
    origin,
  },
});
