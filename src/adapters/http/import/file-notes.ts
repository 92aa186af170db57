import type { FileNote } from '../../../domain/catalogue/product-import.ts';
import { shortened } from '../../../domain/values/text.ts';
import {
  count,
  countOf,
  damagedNote,
  firstOf,
  isDamagedCode,
  MAX_NAME,
  trimmedNote,
  unchanged,
  unreadName,
  unreadNote,
  type Unread,
} from './note-texts.ts';
import { COLUMN_NAMES, isColumnName, type Column, type Header, type TextColumn } from './shopify-columns.ts';
import type { ShopifyRow } from './shopify-row.ts';

/** Names and codes, which are kept without blanks at their ends: of a product, and of each of its variants. */
const OF_PRODUCT: readonly TextColumn[] = ['Handle', 'Title', 'Type', 'Vendor'];
const OF_VARIANT: readonly TextColumn[] = [
  ...(['Variant SKU', 'Variant Barcode', 'Option1 Name', 'Option1 Value', 'Option2 Name', 'Option2 Value'] as const),
  ...(['Option3 Name', 'Option3 Value'] as const),
];

const CODES = ['Variant SKU', 'Variant Barcode'] as const satisfies readonly TextColumn[];

const absences = ({ places }: Header): string[] => {
  const messages: string[] = [];
  if (!places.has('Variant SKU') && (places.has('Variant Price') || places.has('Option1 Value'))) {
    messages.push('The file has no column Variant SKU. A new variant gets a SKU made from its handle and options.');
  }
  return messages;
};

const namesOf = (isChosen: (column: Column) => boolean): string[] =>
  [...COLUMN_NAMES].flatMap(([name, column]) => (isChosen(column) ? [name] : []));

/** An unread column as a note names it. */
const nameOf = (full: string, place: number, absent: readonly string[]): Unread => {
  const name = shortened(full, MAX_NAME);
  if (name === '') return { text: `column ${place + 1}, which has no name`, isSlip: false };
  if (isColumnName(full)) return { text: `${name} (the file has this column twice)`, isSlip: false };
  return unreadName(full, absent);
};

export class FileNotes {
  private blank: number[];
  private readonly unread = new Set<number>();
  private readonly trimmedColumns = new Set<Column>();
  private readonly trimmed = unchanged();
  private readonly rounded = unchanged();
  private readonly quoted = unchanged();
  private readonly damaged = unchanged();
  private readonly damagedColumns = new Set<Column>();

  constructor(private readonly header: Header) {
    const read = new Set(header.places.values());
    this.blank = header.names.flatMap((_, place) => (read.has(place) ? [] : [place]));
  }

  add(row: ShopifyRow, isFirst: boolean): void {
    this.findUnread(row.cells);
    if (isFirst) for (const column of OF_PRODUCT) this.compare(row, column);
    if (row.variant === null) return;
    for (const column of OF_VARIANT) this.compare(row, column);
    const { grams } = row.variant;
    if (grams !== undefined && grams !== Number(row.spelt('Variant Grams'))) count(this.rounded, row.line);
    for (const column of CODES) this.judge(row, column);
  }

  all(): FileNote[] {
    const { line } = this.header;
    const messages = [...absences(this.header), ...this.columns(), ...this.changes()];
    return messages.map((message) => ({ about: { line, message } }));
  }

  private findUnread(cells: readonly string[]): void {
    for (const place of this.blank) {
      if (place >= cells.length) return;
      if (cells[place]?.trim()) this.unread.add(place);
    }
    if (this.blank.some((place) => this.unread.has(place))) this.blank = this.blank.filter((place) => !this.unread.has(place));
  }

  private judge(row: ShopifyRow, column: TextColumn): void {
    const code = row.text(column);
    if (code?.startsWith("'")) count(this.quoted, row.line);
    if (!isDamagedCode(code)) return;
    this.damagedColumns.add(column);
    count(this.damaged, row.line);
  }

  private compare(row: ShopifyRow, column: TextColumn): void {
    const given = row.exact(column);
    if (given == null || given.length === row.text(column)?.length) return;
    this.trimmedColumns.add(column);
    count(this.trimmed, row.line);
  }

  private columns(): string[] {
    const places = [...this.unread].sort((a, b) => a - b);
    const absent = namesOf((column) => !this.header.places.has(column));
    const names = places.map((place) => nameOf(this.header.names[place] ?? '', place, absent));
    return unreadNote('columns', names);
  }

  private changes(): string[] {
    const { rounded, trimmed, trimmedColumns, quoted, damaged, damagedColumns } = this;
    const messages = [...trimmedNote(trimmed, trimmedColumns), ...damagedNote(damaged, damagedColumns)];
    if (quoted.count > 0) messages.push(`A leading apostrophe is not kept: ${countOf(quoted, 'code')}. ${firstOf(quoted)}`);
    if (rounded.count > 0) messages.push(`Weights are whole grams: ${countOf(rounded, 'weight')} rounded. ${firstOf(rounded)}`);
    return messages;
  }
}
