/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import { completeElements, Fault, needed } from './element.ts';
import type { Making } from './element.ts';
import { contentTypeOf } from '../media/image.ts';
import { isWebUrl, WEB_URL_RULE } from '../values/web-url.ts';
import type { Media, Product, ProductDocument, Variant } from './product.ts';

type MediaDocument = NonNullable<ProductDocument['media']>[number];

export const completeMedia = (
  document: ProductDocument,
  productId: string,
  variants: readonly Variant[],
  current: Product | null,
  making: Making,
): Media[] => {
  const variantIds = new Set(variants.map(({ id }) => id));
  // A stored media of a variant that the document removes stays, as one of the product.
  const linked = (media: Media): Media =>
    media.productVariantId === null || variantIds.has(media.productVariantId) ? media : { ...media, productVariantId: null };
  // Reversed, so that the first of equal SKUs is kept.
  const bySku = new Map([...variants].reverse().map(({ sku, id }) => [sku, id]));
  return completeElements<Media, MediaDocument>(
    document.media ?? (making.keepsStored ? current?.media.map(linked) : undefined),
    current?.media ?? [],
    making,
    {
      given: (given) => given.url ?? given.storageKey,
      current: ({ url }) => url,
      follows: (given, before) => [
        ...(given.variantSku !== undefined || linked(before) !== before ? ['productVariantId'] : []),
        ...(before.contentType === contentTypeOf(before.url) ? ['contentType'] : []),
        ...(before.storageKey === before.url ? ['storageKey'] : []),
      ],
    },
    (given, base, index) => {
      const at = `media[${String(index)}]`;
      const url = needed(given.url ?? given.storageKey, `${at}.url`);
      const productVariantId = given.productVariantId ?? (given.variantSku === undefined ? null : bySku.get(given.variantSku));
      if (productVariantId !== null && !variantIds.has(productVariantId ?? '')) {
        throw new Fault(`${at}.productVariantId: the document has no such variant`);
      }
      return {
        ...base,
        aiGenerated: given.aiGenerated ?? false,
        altText: given.altText ?? null,
        assetId: given.assetId ?? null,
        contentType: given.contentType ?? contentTypeOf(url),
        position: given.position ?? index,
        productId,
        productVariantId: productVariantId ?? null,
        sizeBytes: given.sizeBytes ?? 0,
        storageKey: given.storageKey ?? url,
        url,
      };
    },
  );
};

/** The first media of the document without a proper URL; null when all have one. */
export const documentMediaFault = ({ media = [] }: ProductDocument): string | null => {
  const at = media.findIndex(({ url, storageKey }) => {
    const address = url ?? storageKey;
    return address !== undefined && address !== '' && !isWebUrl(address);
  });
  return at === -1 ? null : `media[${at}].url: ${WEB_URL_RULE}`;
};
