import {
  MAX_USELESS,
  uselessFile,
  type FileNote,
  type ImportFault,
  type UnreadProduct,
} from '../../../domain/catalogue/product-import.ts';
import { toUtf8 } from './charset.ts';
import type { CsvOptions, CsvRecord } from './csv-records.ts';
import { readCsv } from './csv.ts';
import { sourceOf } from './file-kind.ts';
import { FileNotes } from './file-notes.ts';
import { otherFile } from './other-file.ts';
import { ROW_LIMITS } from './csv-rows.ts';
import { readHeader, type Header } from './shopify-columns.ts';
import { ShopifyGroup, type ShopifyFile, type ShopifyFound } from './shopify-group.ts';
import { apartMessage, type RowsApart } from './rows-apart.ts';
import { readRow, type ShopifyRow } from './shopify-row.ts';

export type ShopifyItem = ShopifyFound | UnreadProduct | FileNote;

class ShopifyRows {
  private readonly notes: FileNotes;
  private readonly handlePlace: number;
  private group: ShopifyGroup | null = null;
  private rows = 0;
  private hasProduct = false;
  private readonly file: ShopifyFile;
  /** A line that could not be read. The product that begins next may have lost its first row there. */
  private unreadLine: number | null = null;

  constructor(
    private readonly header: Header,
    currency: string,
    private readonly apart: RowsApart | null,
  ) {
    this.file = { apart, currency, hasLocations: header.names.some((name) => name.toLowerCase() === 'location') };
    this.notes = new FileNotes(header);
    this.handlePlace = header.places.get('Handle') ?? 0;
  }

  get isUseless(): boolean {
    return !this.hasProduct && this.rows >= MAX_USELESS;
  }

  *push(item: CsvRecord | ImportFault): Generator<ShopifyItem> {
    this.rows += 1;
    if ('message' in item) {
      this.group?.spoil(item.line);
      this.unreadLine = item.line;
      yield this.fault(item.line, item.message);
    } else if (this.isSkipped(item)) this.unreadLine = null;
    else yield* this.read(item);
  }

  *end(): Generator<ShopifyItem> {
    yield* this.finish(undefined);
    yield* this.notes.all();
  }

  private isSkipped({ cells }: CsvRecord): boolean {
    return this.group?.isClosed === true && this.group.takes(cells[this.handlePlace]?.trim() ?? '');
  }

  private *read(record: CsvRecord): Generator<ShopifyItem> {
    const row = readRow(this.header, record);
    if (row.handle === '' && this.group) {
      this.group.spoil(row.line);
      yield this.fault(row.line, row.faults.join(' '));
      return;
    }
    const isFirst = !this.group?.takes(row.handle);
    if (isFirst) yield* this.begin(row);
    this.unreadLine = null;
    const bad = this.group?.add(row) ?? null;
    this.hasProduct ||= this.group?.hasProduct === true;
    if (bad === null) this.notes.add(row, isFirst);
    else yield this.fault(row.line, bad);
  }

  private *begin(row: ShopifyRow): Generator<ShopifyItem> {
    yield* this.finish(row.line);
    const group = new ShopifyGroup(row, this.file);
    this.group = group;
    if (this.unreadLine !== null) group.spoil(this.unreadLine);
    const spoils = this.apart?.add(row.handle, row.line) ?? null;
    if (spoils === null) return;
    group.drop();
    yield { ...this.fault(row.line, apartMessage([spoils, row.line])), spoils };
  }

  private finish(nextLine: number | undefined): readonly (ShopifyFound | UnreadProduct)[] {
    return this.group?.products(nextLine) ?? [];
  }

  /** The product that is being read is not done with the rows before its bad one. */
  private fault(line: number, message: string): UnreadProduct {
    return { line, nextLine: this.group?.line ?? line, message };
  }
}

const begin = (item: CsvRecord | ImportFault, currency: string, apart: RowsApart | null): ShopifyRows | string => {
  if ('message' in item) return item.message;
  const header = readHeader(item);
  return otherFile(header) ?? new ShopifyRows(header, currency, apart);
};

interface ShopifyOptions extends CsvOptions {
  readonly apart: RowsApart | null;
}

/**
 * The products of a Shopify product export, read as they come: consecutive rows of one Handle are
 * one product. A bad row is reported with the line it begins at, and its product is left out. So is
 * a product whose rows are apart, where the file was read before with the same `apart`. Prices are in
 * `currency`, the store's (ISO 4217). The notes on the file come last.
 */
export async function* readShopifyCsv(
  source: AsyncIterable<Uint8Array>,
  currency: string,
  { charset = 'utf-8', limits = ROW_LIMITS, apart = null }: Partial<ShopifyOptions> = {},
): AsyncGenerator<ShopifyItem> {
  const bytes = await sourceOf(source, 'csv', charset);
  if ('message' in bytes) {
    yield bytes;
    return;
  }
  let rows: ShopifyRows | null = null;
  for await (const item of readCsv(toUtf8(bytes, charset), { charset, limits })) {
    let refusal: string | null = null;
    if (rows === null) {
      const begun = begin(item, currency, apart);
      if (typeof begun === 'string') refusal = begun;
      else rows = begun;
    } else {
      yield* rows.push(item);
      if (rows.isUseless) refusal = uselessFile(item.line);
    }
    if (refusal === null) continue;
    yield { line: item.line, message: refusal, refusesFile: true };
    return;
  }
  if (rows !== null) yield* rows.end();
}
