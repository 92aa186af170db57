import type { Media, MediaDocument, ProductDocument } from './product.ts';

/**
 * The media of a document that comes from rows. An image belongs to the variant whose row names it.
 * An image that no row names keeps its variant, unless that variant's row names another.
 */
export const rowMedia = (
  { media: given, variants = [], keepsMedia }: ProductDocument,
  stored: readonly Media[],
): MediaDocument[] | undefined => {
  if (!given) return undefined;
  const byUrl = new Map(stored.map((media) => [media.url, media]));
  const hasImage = new Set(given.flatMap(({ variantAt }) => (variantAt == null ? [] : [variants[variantAt]?.id])));
  const owned = ({ variantAt, ...media }: MediaDocument): MediaDocument => {
    if (variantAt !== undefined)
      return { ...media, productVariantId: variantAt === null ? null : (variants[variantAt]?.id ?? null) };
    const owner = byUrl.get(media.url ?? '')?.productVariantId;
    return owner != null && hasImage.has(owner) ? { ...media, productVariantId: null } : media;
  };
  const named = given.map(owned);
  if (!keepsMedia) return named;
  const byName = new Map(named.map((media) => [media.url, media]));
  const kept = stored.map(({ id, url }) => ({ ...owned({ url }), ...byName.get(url), id }));
  return [...kept, ...named.filter(({ url }) => !byUrl.has(url ?? ''))];
};
