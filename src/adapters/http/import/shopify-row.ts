/** One variant of a row; `options` are its values by the option's number, 1 to 3, blank where it has none. */
export interface ShopifyVariant {
  readonly sku: string;
  readonly price: number;
  readonly compareAtPrice: number | null;
  readonly grams: number;
  readonly quantity: number | null;
  readonly barcode: string | null;
  readonly options: readonly string[];
  readonly image: string | null;
}

export interface ShopifyImage {
  readonly url: string;
  /** Null comes after the numbered ones. */
  readonly position: number | null;
  readonly altText: string | null;
}

/** A row of the file with its numbers read. `faults` is empty for a good one; the rest of a bad one must not be used. */
export interface ShopifyRow {
  readonly line: number;
  readonly handle: string;
  /** A cell by Shopify's column name, trimmed; blank where the file lacks the column. */
  readonly cell: (column: string) => string;
  readonly variant: ShopifyVariant | null;
  readonly image: ShopifyImage | null;
  readonly faults: readonly string[];
}

/** What newer exports call the columns, by their long-standing names. */
const RENAMED: Readonly<Record<string, string>> = {
  'url handle': 'handle',
  description: 'body (html)',
  'published on online store': 'published',
  sku: 'variant sku',
  barcode: 'variant barcode',
  price: 'variant price',
  'compare-at price': 'variant compare at price',
  'inventory quantity': 'variant inventory qty',
  'weight value (grams)': 'variant grams',
  'requires shipping': 'variant requires shipping',
  'product image url': 'image src',
  'variant image url': 'variant image',
};

/** The place of each column, by its name in lower case. */
export const readHeader = (names: readonly string[]): ReadonlyMap<string, number> => {
  const places = new Map<string, number>();
  names.forEach((name, place) => {
    const plain = name.trim().toLowerCase();
    const known = RENAMED[plain] ?? plain;
    if (!places.has(known)) places.set(known, place);
  });
  return places;
};

/** PostgreSQL's integer ends here. */
const MAX_INTEGER = 2_147_483_647;
const VARIANT_COLUMNS = ['Variant SKU', 'Variant Price', 'Option1 Value', 'Option2 Value', 'Option3 Value'];
/** Spreadsheets are kept from reading 0012 as a number by a leading apostrophe; it is no part of the code. */
const code = (text: string): string => text.replace(/^'/, '');

/** Reads one row; `line` is where it begins. */
export const readRow = (header: ReadonlyMap<string, number>, line: number, record: readonly string[]): ShopifyRow => {
  const faults: string[] = [];
  const cell = (column: string): string => (record[header.get(column.toLowerCase()) ?? -1] ?? '').trim();
  const number = (column: string, pattern: RegExp, kind: string): number | null => {
    const text = cell(column);
    if (text === '') return null;
    const value = Number(text);
    if (pattern.test(text) && Math.abs(value) <= MAX_INTEGER) return value;
    faults.push(`${column} ${JSON.stringify(text.slice(0, 40))} is no ${kind}`);
    return null;
  };
  const amount = (column: string): number | null => number(column, /^\d+(\.\d+)?$/, 'amount');

  const handle = cell('Handle');
  if (handle === '') faults.push('Handle is missing');
  if (record.some((text) => text.includes('\uFFFD'))) faults.push('the row is not valid UTF-8');
  if (record.some((text) => text.includes('\0'))) faults.push('the row has a NUL character');

  const variant = VARIANT_COLUMNS.some((column) => cell(column) !== '')
    ? {
        sku: code(cell('Variant SKU')),
        price: amount('Variant Price') ?? 0,
        compareAtPrice: amount('Variant Compare At Price'),
        grams: Math.round(amount('Variant Grams') ?? 0),
        quantity: number('Variant Inventory Qty', /^-?\d+$/, 'whole number'),
        barcode: code(cell('Variant Barcode')) || null,
        options: [cell('Option1 Value'), cell('Option2 Value'), cell('Option3 Value')],
        image: cell('Variant Image') || null,
      }
    : null;
  const url = cell('Image Src');
  const position = number('Image Position', /^\d+$/, 'whole number');
  const image = url === '' ? null : { url, position, altText: cell('Image Alt Text') || null };
  return { line, handle, cell, variant, image, faults };
};
