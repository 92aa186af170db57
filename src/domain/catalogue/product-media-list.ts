/* eslint-disable complexity -- one default for each field: the `??` are a list without branches */
import { contentTypeOf } from '../media/image.ts';
import { refuse } from '../result.ts';
import type { Refusal } from '../result.ts';
import { isWebUrl, WEB_URL_RULE } from '../values/web-url.ts';
import { completeElements } from './element.ts';
import type { Media, ProductDocument, Variant } from './product.ts';
import type { Completion } from './write-context.ts';

type GivenMedia = NonNullable<ProductDocument['media']>[number];

/** `variants` are the completed ones of the same document. */
export const completeMedia = (completion: Completion, variants: readonly Variant[]): Media[] => {
  const { document, current, keepsStored, faults, productId } = completion;
  if (!document.media?.length && !current?.media.length) return [];
  const variantIds = new Set(variants.map(({ id }) => id));
  // A stored media of a variant that the document removes stays as a media of the product.
  const relinked = (media: Media): Media =>
    media.productVariantId === null || variantIds.has(media.productVariantId) ? media : { ...media, productVariantId: null };
  // Reversed, so that the first of equal SKUs is kept.
  const bySku = new Map([...variants].reverse().map(({ sku, id }) => [sku, id]));
  const given = document.media ?? (keepsStored ? current?.media.map(relinked) : undefined);
  return completeElements<Media, GivenMedia>(completion, given, current?.media ?? [], {
    key: ({ url, storageKey }) => url ?? storageKey,
    follows: ({ variantSku }, before) => [
      ...(variantSku !== undefined || relinked(before) !== before ? ['productVariantId'] : []),
      ...(before.contentType === contentTypeOf(before.url) ? ['contentType'] : []),
      ...(before.storageKey === before.url ? ['storageKey'] : []),
    ],
    complete: (media, _id, index) => {
      const field = `media[${index}]`;
      const url = faults.required(media.url ?? media.storageKey, `${field}.url`);
      const bySkuId = media.variantSku === undefined ? null : bySku.get(media.variantSku);
      const productVariantId = media.productVariantId ?? bySkuId;
      if (productVariantId !== null && !variantIds.has(productVariantId ?? '')) {
        faults.add(`${field}.productVariantId names a variant that the document does not have.`);
      }
      return {
        aiGenerated: media.aiGenerated ?? false,
        altText: media.altText ?? null,
        assetId: media.assetId ?? null,
        contentType: media.contentType ?? contentTypeOf(url),
        position: media.position ?? index,
        productId,
        productVariantId: productVariantId ?? null,
        sizeBytes: media.sizeBytes ?? 0,
        storageKey: media.storageKey ?? url,
        url,
      };
    },
  });
};

/** Refuses a document with a media whose address is not a web URL. */
export const checkMediaUrls = ({ media = [] }: ProductDocument): Refusal<'invalid'> | null => {
  const index = media.findIndex(({ url, storageKey }) => {
    const address = url ?? storageKey;
    return address !== undefined && address !== '' && !isWebUrl(address);
  });
  return index === -1 ? null : refuse('invalid', `media[${index}].url ${WEB_URL_RULE}.`);
};
