import type { ProductDocument, ProductKind, ProductStatus } from '../../../domain/catalogue/product.ts';
import type { ReadCell } from './shopify-cells.ts';
import { readMedia } from './shopify-media.ts';
import type { ShopifyRow } from './shopify-row.ts';
import { distinct, readOptions, readVariants } from './shopify-variants.ts';

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
