import { contentTypeOf } from '../media/image.ts';
import { refuse, type Refusal } from '../result.ts';
import { isWebUrl, WEB_URL_RULE } from '../values/url.ts';
import { completeElements } from './element.ts';
import { PRODUCT } from './fields/product-fields.ts';
import type { Media, ProductDocument, Variant } from './product.ts';
import type { Completion } from './write-context.ts';

type GivenMedia = NonNullable<ProductDocument['media']>[number];

const addressOf = ({ url, storageKey }: Pick<GivenMedia, 'url' | 'storageKey'>): string | undefined => url ?? storageKey;

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
  const elements = { given, current: current?.media, field: 'media', parentId: productId };
  return completeElements<Media, GivenMedia>(completion, PRODUCT.fields.media, elements, {
    follows: ({ variantSku }, before) => [
      ...(variantSku !== undefined || relinked(before) !== before ? ['productVariantId'] : []),
      ...(before.contentType === contentTypeOf(before.url) ? ['contentType'] : []),
      ...(before.storageKey === before.url ? ['storageKey'] : []),
    ],
    rules: {
      contentType: (media) => media.contentType ?? contentTypeOf(addressOf(media) ?? ''),
      productVariantId: (media, { field }) => {
        const id = media.productVariantId ?? (media.variantSku === undefined ? null : bySku.get(media.variantSku));
        // A media without an address has that fault first.
        if (id !== null && !variantIds.has(id ?? '') && addressOf(media)) {
          faults.add(`${field}.productVariantId names a variant that the document does not have.`);
        }
        return id;
      },
      storageKey: ({ url, storageKey }) => storageKey ?? url,
      url: addressOf,
    },
  });
};

/** Refuses a document with a media whose address is not a web URL. */
export const checkMediaUrls = ({ media = [] }: ProductDocument): Refusal<'invalid'> | null => {
  const index = media.findIndex(({ url, storageKey }) => {
    const address = addressOf({ url, storageKey });
    return address !== undefined && address !== '' && !isWebUrl(address);
  });
  return index === -1 ? null : refuse('invalid', `media[${index}].url ${WEB_URL_RULE}.`);
};
