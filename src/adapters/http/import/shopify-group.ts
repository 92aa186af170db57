import type { FoundProduct, ImportNote, UnreadProduct } from '../../../domain/catalogue/product-import.ts';
import { normaliseSlug } from '../../../domain/catalogue/slug.ts';
import { apartMessage, type RowsApart } from './rows-apart.ts';
import { cellReader } from './shopify-cells.ts';
import { readWords, shopifyProduct, tagsFault, type FirstWords, type ShopifyDocument } from './shopify-product.ts';
import type { ShopifyRow } from './shopify-row.ts';
import { unnamedOption } from './shopify-variants.ts';

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
