import { finished } from 'node:stream';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';

import type { ProductDocument } from '../../../domain/product.ts';
import type { ImportFault } from '../../../domain/product-import.ts';
import { shopifyProduct, statusOf } from './shopify-product.ts';
import { readHeader, readRow } from './shopify-row.ts';
import type { ShopifyRow } from './shopify-row.ts';

export type ShopifyItem = { readonly line: number; readonly document: ProductDocument & { slug: string } } | ImportFault;

/** Shopify allows 2,048 variants and 250 images; beyond this a file would be held in memory by one handle. */
const MAX_ROWS = 5_000;
/** So does a quote that is never closed. */
const MAX_ROW_BYTES = 4 * 1024 * 1024;

interface CsvRecord {
  /** Where it begins; a quoted cell may hold line breaks. */
  readonly line: number;
  readonly record: readonly string[];
}

const fault = (line: number, ...messages: string[]): ImportFault => ({ line, message: messages.join('; ') });

/** The rows of one handle, as they come. */
class Group {
  private readonly good: ShopifyRow[] = [];
  private count = 0;
  constructor(private readonly first: ShopifyRow) {}

  takes(row: ShopifyRow): boolean {
    return row.handle !== '' && row.handle === this.first.handle;
  }

  /** Takes the row in; answers what is wrong with it, if it can't. */
  add(row: ShopifyRow): ImportFault | null {
    this.count += 1;
    if (this.count > MAX_ROWS) {
      return this.count === MAX_ROWS + 1
        ? fault(row.line, `${row.handle} has more than ${MAX_ROWS} rows; the rest of them are skipped`)
        : null;
    }
    // Without its first row there is no product: one report, and the others fall with it.
    if (row !== this.first && this.good.length === 0) return null;
    const faults = [...row.faults];
    if (row === this.first && row.handle !== '') {
      if (row.cell('Title') === '') faults.push('Title is missing');
      if (statusOf(row) === null)
        faults.push(`Status ${JSON.stringify(row.cell('Status').slice(0, 40))} is none of active, draft, archived`);
    }
    if (faults.length > 0) return fault(row.line, ...faults);
    this.good.push(row);
    return null;
  }

  /** None where the first row is bad. */
  products(currency: string): ShopifyItem[] {
    const [first, ...rest] = this.good;
    const status = first && statusOf(first);
    return first && status ? [{ line: first.line, document: shopifyProduct([first, ...rest], status, currency) }] : [];
  }
}

/** The rows with the line each begins at, and a last fault where the text stops being CSV. A source that breaks off throws. */
async function* readRecords(source: Readable): AsyncGenerator<CsvRecord | ImportFault> {
  // The parser's own output is lost when it fails, with rows that were good; so its rows are taken as they are made.
  const records: CsvRecord[] = [];
  let line = 1;
  const read = { rows: 0 };
  const parser = parse({
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (record: string[]) => {
      if (record.some((cell) => cell.trim() !== '')) {
        read.rows += 1;
        records.push({ line, record });
      }
      // Counted here: the parser counts a quoted Windows line end twice.
      line += 1 + record.reduce((breaks, cell) => breaks + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
      return null;
    },
  });
  const failures: Error[] = [];
  parser.on('error', (error) => {
    failures.push(error);
  });
  parser.resume();
  const step = (act: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      act(resolve);
    });
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    await step((done) =>
      parser.write(chunk, () => {
        done();
      }),
    );
    yield* records.splice(0);
    if (failures.length > 0) break;
  }
  if (failures.length === 0)
    await step((done) => {
      finished(parser, { readable: false }, () => {
        done();
      });
      parser.end();
    });
  yield* records.splice(0);
  const [failure] = failures;
  if (failure) yield fault(line, `from here on the file is no CSV: ${failure.message}`);
  else if (read.rows === 0) yield fault(1, 'the file is empty: a Shopify product export begins with its column names');
}

const missingColumns = (header: ReadonlyMap<string, number>): string | null =>
  ['Handle', 'Title'].filter((name) => !header.has(name.toLowerCase())).join(' and the column ') || null;

/**
 * The products of a Shopify product export, read as they come: consecutive rows of one Handle are one product. A bad row is reported with
 * the line it begins at and left out; when it is the product's first, the product is. Prices are in `currency`, the store's (ISO 4217).
 */
export async function* readShopifyCsv(source: Readable, currency: string): AsyncGenerator<ShopifyItem> {
  let header: ReadonlyMap<string, number> | null = null;
  let group: Group | null = null;
  for await (const item of readRecords(source)) {
    if ('message' in item) {
      yield item;
      continue;
    }
    if (header === null) {
      header = readHeader(item.record);
      const missing = missingColumns(header);
      if (missing !== null) {
        yield fault(item.line, `this is no Shopify product export: the column ${missing} is missing`);
        return;
      }
      continue;
    }
    const row = readRow(header, item.line, item.record);
    if (!group?.takes(row)) {
      yield* group?.products(currency) ?? [];
      group = new Group(row);
    }
    const bad = group.add(row);
    if (bad) yield bad;
  }
  yield* group?.products(currency) ?? [];
}
