import type { ProductDocument, ProductKind, ProductStatus } from '../../../domain/catalogue/product.ts';
import type { ReadCell } from './shopify-cells.ts';
import type { ShopifyRow } from './shopify-row.ts';
import { type ReadVariant, distinct, readOptions, readVariants } from './shopify-variants.ts';

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
const readMedia = (
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

/** A document of the reader: what the file does not tell is undefined. */
export type ShopifyDocument = ProductDocument & { slug: string };

/** The words of the closed vocabularies in a first row. A word that it does not have is undefined. */
export interface FirstWords {
  readonly status: ProductStatus | undefined;
  readonly kind: ProductKind | undefined;
  readonly isUnlisted: boolean;
}

/** Older exports have no Status, or a blank one: there it follows from Published. */
export const readWords = (read: ReadCell): FirstWords => {
  const [status, isPublished] = [read('Status'), read('Published')];
  const [isGiftCard, requiresShipping] = [read('Gift Card'), read('Variant Requires Shipping')];
  const published = isPublished === undefined ? undefined : isPublished === 'yes' ? 'Active' : 'Draft';
  // A product that is not a gift card is not necessarily shipped.
  const shipped = requiresShipping === undefined ? undefined : 'Physical';
  return {
    status: status === 'Unlisted' ? 'Draft' : (status ?? published),
    kind: isGiftCard === 'yes' || requiresShipping === 'no' ? 'Digital' : shipped,
    isUnlisted: status === 'Unlisted',
  };
};

const categoryOf = ({ text }: ShopifyRow): { name: string } | undefined => {
  const [type, path] = [text('Type'), text('Product Category')];
  const name = type ?? (path?.split('>').pop() ?? '').trim();
  return name === '' ? undefined : { name };
};

const specificationsOf = ({ text }: ShopifyRow): ProductDocument['specifications'] => {
  const vendor = text('Vendor');
  return vendor === undefined ? undefined : [{ name: 'Vendor', value: vendor, position: 1 }];
};

/** Equals the limit of a list of a product document. */
const MAX_TAGS = 10_000;

/** Judges the tags of a first row. They are counted before they are taken apart: a cell may have a million. */
export const tagsFault = ({ text }: ShopifyRow): string | null =>
  (text('Tags') ?? '').split(',', MAX_TAGS + 1).length > MAX_TAGS ? 'Tags must have at most 10,000 tags.' : null;

const tagsOf = ({ text }: ShopifyRow): string[] | undefined => {
  const tags = text('Tags');
  return tags === undefined ? undefined : distinct(tags.split(','));
};

/** The reader knows this besides the rows. */
interface Reading extends Pick<FirstWords, 'status' | 'kind'> {
  readonly currency: string;
  /** True where a variant may have a row for each of several locations. */
  readonly hasLocations: boolean;
}

export const shopifyProduct = (
  rows: readonly [ShopifyRow, ...ShopifyRow[]],
  { status, kind, currency, hasLocations }: Reading,
): ShopifyDocument => {
  const [first] = rows;
  const { exact, handle, text } = first;
  const options = readOptions(rows);
  const variants = readVariants(rows, options, { currency, hasLocations });
  // Rows without a variant say nothing of those that are stored.
  const hasVariants = variants.length > 0;
  return {
    name: text('Title') ?? '',
    slug: handle,
    isOfRows: true,
    // Descriptions are kept unchanged: only names are trimmed.
    description: exact('Body (HTML)'),
    metaTitle: exact('SEO Title'),
    metaDescription: exact('SEO Description'),
    kind,
    status,
    tags: tagsOf(first),
    category: categoryOf(first),
    specifications: specificationsOf(first),
    options: hasVariants
      ? options?.map(({ number, name, values }) => ({
          name,
          position: number,
          values: values.map((value, at) => ({ value, position: at + 1 })),
        }))
      : undefined,
    variants: hasVariants ? variants.map(({ document }) => document) : undefined,
    ...readMedia(rows, variants),
  };
};
