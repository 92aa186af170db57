import type { FoundProduct, ImportNote } from '../../../domain/catalogue/product-import.ts';
import type { ProductStatus } from '../../../domain/catalogue/product.ts';
import { shopifyProduct, statusOf, tagsFault, type ShopifyDocument } from './shopify-product.ts';
import type { ShopifyRow } from './shopify-row.ts';

export type ShopifyFound = FoundProduct & { readonly document: ShopifyDocument };

/**
 * Shopify allows 2,048 variants and 250 images; beyond this a file would be held in memory by one
 * handle.
 */
const MAX_ROWS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** What all products of the file share. */
export interface ShopifyFile {
  /** The store's, in ISO 4217. */
  readonly currency: string;
  /** Whether the file has the column Location. */
  readonly hasLocations: boolean;
}

export class ShopifyGroup {
  private readonly good: ShopifyRow[] = [];
  private readonly notes: ImportNote[] = [];
  private status: ProductStatus | undefined;
  private count = 0;
  private bytes = 0;
  private isOver = false;
  constructor(
    private readonly first: ShopifyRow,
    private readonly file: ShopifyFile,
  ) {}

  get line(): number {
    return this.first.line;
  }

  /** Whether nothing that its other rows say matters any more. */
  get isClosed(): boolean {
    return this.isOver || this.good.length === 0;
  }

  get hasProduct(): boolean {
    return this.good.length > 0;
  }

  takes(handle: string): boolean {
    return handle !== '' && handle === this.first.handle;
  }

  /** Takes the row in. What is wrong with it is returned. */
  add(row: ShopifyRow): string | null {
    if (this.isOver) return null;
    this.count += 1;
    this.bytes += row.size;
    if (this.count > MAX_ROWS || this.bytes > MAX_BYTES) {
      this.isOver = true;
      return `A product can have at most ${MAX_ROWS} rows and ${MAX_BYTES} bytes. The other rows of ${row.handle} are skipped.`;
    }
    // Without its first row there is no product: one report, and the others fall with it.
    if (row !== this.first && this.good.length === 0) return null;
    const faults = [...row.faults, ...(row === this.first && row.handle !== '' ? this.readFirst() : [])];
    if (faults.length > 0) return faults.join(' ');
    this.good.push(row);
    return null;
  }

  /** None where the first row is bad. `nextLine` is where the next product begins. */
  products(nextLine: number | undefined): ShopifyFound[] {
    const [first, ...rest] = this.good;
    if (!first) return [];
    const document = shopifyProduct([first, ...rest], { ...this.file, status: this.status });
    const next = nextLine === undefined ? {} : { nextLine };
    return [{ line: first.line, ...next, size: this.bytes, document, notes: this.notes }];
  }

  private readFirst(): string[] {
    const { line, text } = this.first;
    const tags = tagsFault(this.first);
    const faults = [...(text('Title') ? [] : ['Title is missing.']), ...(tags === null ? [] : [tags])];
    const read = statusOf(this.first);
    if (!read.ok) return [...faults, read.message];
    const { status, note } = read.value;
    this.status = status;
    if (note !== undefined) this.notes.push({ line, message: note });
    return faults;
  }
}
