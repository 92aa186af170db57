import { parsePrice, PRICE_RULE } from '../../../domain/catalogue/price.ts';
import { isWebUrl, WEB_URL_RULE } from '../../../domain/values/web-url.ts';
import type { CsvRecord } from './csv-records.ts';
import { cellsByName, type Cells, type Column, type Header } from './shopify-columns.ts';
import { MAX_INT32 } from '../../../domain/values/int32.ts';

/** One variant of a row. An undefined value is not in the file, or its cell is blank. */
export interface ShopifyVariant {
  /** '' without one. */
  readonly sku: string;
  readonly price: number | undefined;
  readonly compareAtPrice: number | undefined;
  readonly grams: number | undefined;
  readonly quantity: number | undefined;
  readonly barcode: string | undefined;
  /** Its values by the number of the option, 1 to 3; blank for an unused option. */
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

const OPTION_VALUES = ['Option1 Value', 'Option2 Value', 'Option3 Value'] as const satisfies readonly Column[];
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

export const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));

/** Reads cells by their kind; what is wrong with them is added to `faults`. Undefined for a blank cell and a bad one. */
const typedCells = ({ text }: Cells, faults: string[]) => {
  const typed =
    <T>(rule: string, parse: (given: string) => T | null) =>
    (column: Column): T | undefined => {
      const given = text(column);
      if (given === undefined) return undefined;
      const value = parse(given);
      if (value === null) faults.push(`${column} ${quoted(given)} ${rule}.`);
      return value ?? undefined;
    };
  const within = (pattern: RegExp) => (given: string) =>
    pattern.test(given) && Math.abs(Number(given)) <= MAX_INT32 ? Number(given) : null;
  return {
    price: typed(PRICE_RULE, parsePrice),
    amount: typed('must be a number such as 12.50', within(/^\d+(\.\d+)?$/)),
    whole: typed('must be a whole number', within(/^-?\d+$/)),
    webUrl: typed(WEB_URL_RULE, (given) => (isWebUrl(given) ? given : null)),
  };
};

type TypedCells = ReturnType<typeof typedCells>;

const readVariant = ({ text }: Cells, { amount, price, webUrl, whole }: TypedCells): ShopifyVariant | null => {
  if (!VARIANT_COLUMNS.some((column) => text(column))) return null;
  const grams = amount('Variant Grams');
  const barcode = text('Variant Barcode');
  return {
    sku: code(text('Variant SKU') ?? ''),
    price: price('Variant Price'),
    compareAtPrice: price('Variant Compare At Price'),
    grams: grams === undefined ? undefined : Math.round(grams),
    quantity: whole('Variant Inventory Qty'),
    barcode: barcode === undefined ? undefined : code(barcode) || undefined,
    options: OPTION_VALUES.map((column) => text(column) ?? ''),
    image: webUrl('Variant Image'),
  };
};

export const readRow = (header: Header, { line, size, cells, faults: found }: CsvRecord): ShopifyRow => {
  const faults = [...found];
  const named = cellsByName(header, cells);
  const { text } = named;
  const handle = text('Handle') ?? '';
  if (handle === '') faults.push('Handle is missing.');
  if (cells.some((cell) => cell.includes('\0'))) faults.push('The row contains a NUL character.');
  const read = typedCells(named, faults);
  const variant = readVariant(named, read);
  const url = read.webUrl('Image Src') ?? null;
  const position = read.whole('Image Position') ?? null;
  const image = url === null ? null : { url, position, altText: named.exact('Image Alt Text') };
  return { ...named, line, size, cells, handle, variant, image, faults };
};
