import type { NewEvent } from '../webhooks/event.ts';
import type { ItemContent, ItemOutcome } from '../media/media-import.ts';
import type { KnownFile } from '../ports/media-file-repository.ts';
import type { Media, Product } from './product.ts';

const MAX_POSITION = 2_147_483_647;

type Failed = Extract<ItemOutcome, { status: 'Failed' }>;

export const notFound = (errorCode: 'product_not_found' | 'variant_not_found'): Failed => ({
  status: 'Failed',
  errorCode,
  error: errorCode === 'product_not_found' ? 'the store has no such product' : 'the product has no such variant',
});

/** The product that the item's media joins, as it is now, or what is missing. */
export const targetOf = (product: Product | undefined, { productVariantId }: ItemContent): Product | Failed => {
  if (!product || product.isDeleted) return notFound('product_not_found');
  const has = productVariantId === null || product.variants.some(({ id, isDeleted }) => id === productVariantId && !isDeleted);
  return has ? product : notFound('variant_not_found');
};

const nextPosition = ({ media }: Product): number =>
  Math.min(
    media.filter(({ isDeleted }) => !isDeleted).reduce((last, { position }) => Math.max(last, position), -1) + 1,
    MAX_POSITION,
  );

/** The media that an item becomes. `url` is where its file is served; `now` is ISO 8601. */
export const newMedia = (
  product: Product,
  { mediaId, ...item }: ItemContent & { readonly mediaId: string },
  file: KnownFile,
  { url, now }: { readonly url: string; readonly now: string },
): Media => ({
  id: mediaId,
  tenantId: product.tenantId,
  createdAt: now,
  updatedAt: null,
  deletedAt: null,
  isDeleted: false,
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

/** What an added media tells. `origin` is the installation that asked for it. */
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
