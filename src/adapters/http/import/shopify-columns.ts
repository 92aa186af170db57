/** The names of columns in newer exports, by their older names. */
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
export type Header = ReadonlyMap<string, number>;

export const readHeader = (names: readonly string[]): Header => {
  const places = new Map<string, number>();
  names.forEach((name, place) => {
    const plain = name.trim().toLowerCase();
    const known = RENAMED[plain] ?? plain;
    if (!places.has(known)) places.set(known, place);
  });
  return places;
};

/** Shopify's name of the column. */
export const hasColumn = (header: Header, column: string): boolean => header.has(column.toLowerCase());

/**
 * A cell by Shopify's name of its column: undefined where the file lacks the column or the row ends
 * before it, which says nothing about the stored value; '' where it is blank. `raw` is as in the
 * file, `text` is trimmed.
 */
export interface Cells {
  readonly raw: (column: string) => string | undefined;
  readonly text: (column: string) => string | undefined;
}

export const cellsByName = (header: Header, cells: readonly string[]): Cells => {
  const raw = (column: string): string | undefined => cells[header.get(column.toLowerCase()) ?? -1];
  return { raw, text: (column) => raw(column)?.trim() };
};
