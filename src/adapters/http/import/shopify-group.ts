import type { FoundProduct, ImportNote, UnreadProduct } from '../../../domain/catalogue/product-import.ts';
import type { ProductDocument, ProductKind, ProductStatus } from '../../../domain/catalogue/product.ts';
import { normaliseSlug } from '../../../domain/catalogue/slug.ts';
import { apartMessage, type RowsApart } from './rows-apart.ts';
import { type ReadCell, cellReader } from './shopify-cells.ts';
import type { ShopifyRow } from './shopify-row.ts';
import { type ReadVariant, distinct, readOptions, readVariants, unnamedOption } from './shopify-variants.ts';

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
type ShopifyDocument = ProductDocument & { slug: string };

/** The words of the closed vocabularies in a first row. A word that it does not have is undefined. */
interface FirstWords {
  readonly status: ProductStatus | undefined;
  readonly kind: ProductKind | undefined;
  readonly isUnlisted: boolean;
}

/** Older exports have no Status, or a blank one: there it follows from Published. */
const readWords = (read: ReadCell): FirstWords => {
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
const tagsFault = ({ text }: ShopifyRow): string | null =>
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

const shopifyProduct = (
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

export type ShopifyFound = FoundProduct & { readonly document: ShopifyDocument };

/**
 * Shopify allows 2,048 variants and 250 images; beyond this a file would be held in memory by one
 * handle.
 */
const MAX_ROWS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** All products of the file share this. */
export interface ShopifyFile {
  /** The products whose rows are apart. Null where the file is read only once. */
  readonly apart: RowsApart | null;
  /** The store's, in ISO 4217. */
  readonly currency: string;
  /** True where the file has the column Location. */
  readonly hasLocations: boolean;
}

export class ShopifyGroup {
  private readonly good: ShopifyRow[] = [];
  private readonly notes: ImportNote[] = [];
  private words: FirstWords | undefined;
  private count = 0;
  private bytes = 0;
  private isOver = false;
  /** The line for which the product is left out, where no row of its own says so. */
  private spoiltBy: number | null = null;
  private isSpoilt = false;
  private readonly linesApart: readonly number[] | null;
  constructor(
    private readonly first: ShopifyRow,
    private readonly file: ShopifyFile,
  ) {
    this.linesApart = file.apart?.linesOf(first.handle) ?? null;
  }

  get line(): number {
    return this.first.line;
  }

  /** True when its other rows do not matter any more. */
  get isClosed(): boolean {
    return this.isOver || this.good.length === 0 || this.linesApart !== null;
  }

  get hasProduct(): boolean {
    return this.good.length > 0;
  }

  takes(handle: string): boolean {
    if (handle === '' || handle === this.first.handle) return handle !== '';
    const slug = normaliseSlug(handle);
    return slug !== null && slug === normaliseSlug(this.first.handle);
  }

  /** A line that cannot be imported may be one of its rows. */
  spoil(line: number): void {
    this.spoiltBy ??= line;
  }

  /** Drops the group: the rows are a part of an earlier product. */
  drop(): void {
    this.isSpoilt = true;
  }

  /** Takes the row in, and returns what is wrong with it. */
  add(row: ShopifyRow): string | null {
    if (this.isOver || this.linesApart !== null) return null;
    this.count += 1;
    this.bytes += row.size;
    if (this.count > MAX_ROWS || this.bytes > MAX_BYTES) {
      this.isOver = true;
      this.isSpoilt = true;
      return `A product can have at most ${MAX_ROWS} rows and ${MAX_BYTES} bytes. ${this.nothing}`;
    }
    // Without its first row there is no product: one report, and the others fall with it.
    if (row !== this.first && this.good.length === 0) return null;
    const faults = [...row.faults, ...(row === this.first && row.handle !== '' ? this.readFirst() : [])];
    if (faults.length > 0) {
      this.isSpoilt = true;
      return row === this.first ? faults.join(' ') : `${faults.join(' ')} ${this.nothing}`;
    }
    this.good.push(row);
    return null;
  }

  /** Empty where a row is bad: the rest of the rows would remove what the bad one is about. `nextLine` is where the next product begins. */
  products(nextLine: number | undefined): (ShopifyFound | UnreadProduct)[] {
    const { line } = this.first;
    const [first, ...rest] = this.good;
    const next = nextLine === undefined ? {} : { nextLine };
    const lines = this.linesApart;
    if (lines !== null) return lines[0] === line ? [{ line, ...next, message: `${apartMessage(lines)} ${this.nothing}` }] : [];
    if (!first || this.isSpoilt) return [];
    if (this.spoiltBy !== null) {
      const message = `Line ${this.spoiltBy} cannot be imported, and may be a row of this product. ${this.nothing}`;
      return [{ line, ...next, message }];
    }
    const fault = unnamedOption(this.good);
    if (fault !== null) return [{ line, ...next, message: `${fault} ${this.nothing}` }];
    const { status, kind } = this.words ?? {};
    const document = shopifyProduct([first, ...rest], { ...this.file, status, kind });
    return [{ line, ...next, size: this.bytes, document, notes: this.notes }];
  }

  private get nothing(): string {
    return `Nothing of ${this.first.handle} is imported.`;
  }

  private readFirst(): string[] {
    const { line, text } = this.first;
    const tags = tagsFault(this.first);
    const faults = [...(text('Title') ? [] : ['Title is missing.']), ...(tags === null ? [] : [tags])];
    this.words = readWords(cellReader(this.first, faults));
    if (this.words.isUnlisted) {
      const message = 'Status is "unlisted", which Tenon does not have. The product is imported as a draft.';
      this.notes.push({ line, message });
    }
    return faults;
  }
}
