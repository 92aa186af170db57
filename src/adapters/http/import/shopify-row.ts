import type { CsvRecord } from './csv-records.ts';
import { cellReader, type ReadCell } from './shopify-cells.ts';
import { cellsByName, type Cells, type Column, type Header, type TextColumn } from './shopify-columns.ts';

/** The variant of a row. An undefined value is not in the file, or its cell is blank. */
export interface ShopifyVariant {
  /** '' without one. */
  readonly sku: string;
  readonly price: number | undefined;
  readonly compareAtPrice: number | undefined;
  readonly grams: number | undefined;
  readonly quantity: number | undefined;
  readonly barcode: string | undefined;
  /** Values by the number of the option, 1 to 3; blank for an unused option. */
  readonly options: readonly string[];
  readonly image: string | undefined;
}

export interface ShopifyImage {
  readonly url: string;
  /** Null comes after the numbered ones. */
  readonly position: number | null;
  readonly altText: string | undefined;
}

/**
 * A row of the file with its numbers read. `faults` is empty for a good one; the rest of a bad one
 * must not be used.
 */
export interface ShopifyRow extends Cells {
  readonly line: number;
  readonly size: number;
  readonly cells: readonly string[];
  readonly handle: string;
  readonly variant: ShopifyVariant | null;
  readonly image: ShopifyImage | null;
  readonly faults: readonly string[];
}

const OPTION_VALUES = ['Option1 Value', 'Option2 Value', 'Option3 Value'] as const satisfies readonly TextColumn[];
/** A row with a value in one of these is about a variant, although it may not say which. */
const VARIANT_COLUMNS: readonly Column[] = [
  ...(['Variant SKU', 'Variant Price', ...OPTION_VALUES, 'Variant Compare At Price', 'Variant Barcode'] as const),
  ...(['Variant Grams', 'Variant Inventory Qty', 'Variant Image'] as const),
];
/**
 * A leading apostrophe keeps spreadsheets from reading 0012 as a number. It does not belong to the
 * code.
 */
const code = (text: string): string => text.replace(/^'/, '');

const readVariant = ({ text, spelt }: Cells, read: ReadCell): ShopifyVariant | null => {
  if (!VARIANT_COLUMNS.some((column) => spelt(column))) return null;
  const grams = read('Variant Grams');
  const barcode = text('Variant Barcode');
  return {
    sku: code(text('Variant SKU') ?? ''),
    price: read('Variant Price'),
    compareAtPrice: read('Variant Compare At Price'),
    grams: grams === undefined ? undefined : Math.round(grams),
    quantity: read('Variant Inventory Qty'),
    barcode: barcode === undefined ? undefined : code(barcode) || undefined,
    options: OPTION_VALUES.map((column) => text(column) ?? ''),
    image: read('Variant Image'),
  };
};

export const readRow = (header: Header, { line, size, cells, faults: found }: CsvRecord): ShopifyRow => {
  const faults = [...found];
  const named = cellsByName(header, cells);
  const { text } = named;
  const handle = text('Handle') ?? '';
  if (handle === '') faults.push('Handle is missing.');
  if (cells.some((cell) => cell.includes('\0'))) faults.push('The row contains a NUL character.');
  const read = cellReader(named, faults);
  const variant = readVariant(named, read);
  const url = read('Image Src') ?? null;
  const position = read('Image Position') ?? null;
  const image = url === null ? null : { url, position, altText: named.exact('Image Alt Text') };
  return { ...named, line, size, cells, handle, variant, image, faults };
};
