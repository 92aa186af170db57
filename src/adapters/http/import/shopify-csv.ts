import type { ImportFault, ImportItem, ImportNote } from '../../../domain/catalogue/product-import.ts';
import type { ProductStatus } from '../../../domain/catalogue/product.ts';
import { toUtf8 } from './charset.ts';
import { readCsv } from './csv.ts';
import { ROW_LIMITS } from './row-limits.ts';
import type { CsvOptions } from './csv-records.ts';
import { hasColumn, readHeader } from './shopify-columns.ts';
import type { Header } from './shopify-columns.ts';
import { shopifyProduct, statusOf, tagsFault } from './shopify-product.ts';
import type { ShopifyDocument } from './shopify-product.ts';
import { readRow } from './shopify-row.ts';
import type { ShopifyRow } from './shopify-row.ts';

export type ShopifyItem = (Exclude<ImportItem, ImportFault> & { readonly document: ShopifyDocument }) | ImportFault;

/**
 * Shopify allows 2,048 variants and 250 images; beyond this a file would be held in memory by one
 * handle.
 */
const MAX_ROWS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;

const fault = (line: number, ...messages: string[]): ImportFault => ({ line, message: messages.join(' ') });

/** The rows of one handle, as they come. */
class Group {
  private readonly good: ShopifyRow[] = [];
  private readonly notes: ImportNote[] = [];
  private status: ProductStatus | undefined;
  private count = 0;
  private bytes = 0;
  private isOver = false;
  constructor(private readonly first: ShopifyRow) {}

  takes(row: ShopifyRow): boolean {
    return row.handle !== '' && row.handle === this.first.handle;
  }

  /** Takes the row in. What is wrong with it is returned. */
  add(row: ShopifyRow): ImportFault | null {
    if (this.isOver) return null;
    this.count += 1;
    this.bytes += row.size;
    if (this.count > MAX_ROWS || this.bytes > MAX_BYTES) {
      this.isOver = true;
      return fault(
        row.line,
        `A product can have at most ${MAX_ROWS} rows and ${MAX_BYTES} bytes. The other rows of ${row.handle} are skipped.`,
      );
    }
    // Without its first row there is no product: one report, and the others fall with it.
    if (row !== this.first && this.good.length === 0) return null;
    const faults = [...row.faults, ...(row === this.first && row.handle !== '' ? this.readFirst() : [])];
    if (faults.length > 0) return fault(row.line, ...faults);
    this.good.push(row);
    return null;
  }

  /** None where the first row is bad. */
  products(currency: string): ShopifyItem[] {
    const [first, ...rest] = this.good;
    if (!first) return [];
    const document = shopifyProduct([first, ...rest], this.status, currency);
    return [{ line: first.line, size: this.bytes, document, notes: this.notes }];
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

const missingColumns = (header: Header): string | null => {
  const missing = ['Handle', 'Title'].filter((column) => !hasColumn(header, column));
  if (missing.length === 0) return null;
  return `This is not a Shopify product export: it has no column ${missing.join(' and no column ')}.`;
};

/** What a file without some columns does that may surprise. */
const headerNotes = (header: Header, line: number): ImportNote[] => {
  const has = (column: string): boolean => hasColumn(header, column);
  const messages: string[] = [];
  if (!has('Variant SKU') && (has('Variant Price') || has('Option1 Value'))) {
    messages.push('The file has no column Variant SKU. Each variant gets a SKU made from its handle and options.');
  }
  if (!has('Image Src') && has('Variant Image')) {
    messages.push('The file has no column Image Src. Variant Image is ignored, because images would be lost.');
  }
  return messages.map((message) => ({ line, message }));
};

/**
 * The products of a Shopify product export, read as they come: consecutive rows of one Handle are
 * one product. A bad row is reported with the line it begins at and left out; when it is the
 * product's first, the product is. Prices are in `currency`, the store's (ISO 4217).
 */
export async function* readShopifyCsv(
  source: AsyncIterable<Uint8Array>,
  currency: string,
  { charset = 'utf-8', limits = ROW_LIMITS }: Partial<CsvOptions> = {},
): AsyncGenerator<ShopifyItem> {
  let header: Header | null = null;
  let group: Group | null = null;
  let notes: ImportNote[] = [];
  const finish = function* (): Generator<ShopifyItem> {
    for (const item of group?.products(currency) ?? []) {
      yield 'document' in item ? { ...item, notes: [...notes, ...(item.notes ?? [])] } : item;
      notes = [];
    }
  };
  for await (const item of readCsv(toUtf8(source, charset), { charset, limits })) {
    if ('message' in item) yield item;
    else if (header === null) {
      header = readHeader(item.cells);
      const missing = missingColumns(header);
      if (missing !== null) {
        yield fault(item.line, missing);
        return;
      }
      notes = headerNotes(header, item.line);
    } else {
      const row = readRow(header, item);
      if (!group?.takes(row)) {
        yield* finish();
        group = new Group(row);
      }
      const bad = group.add(row);
      if (bad) yield bad;
    }
  }
  yield* finish();
}
