/** Kind of a cell: a text, or a kind for which shopify-cells.ts has a reader. */
export type CellKind = 'text' | 'price' | 'amount' | 'whole' | 'webUrl' | 'yesNo' | 'status';

/** The columns that are read, by the names of older exports, with the kinds of their cells. docs/import.md describes each. */
export const KINDS = {
  ...({ Handle: 'text', Title: 'text', 'Body (HTML)': 'text', 'SEO Title': 'text', 'SEO Description': 'text' } as const),
  ...({ Status: 'status', Published: 'yesNo', Tags: 'text', Type: 'text', 'Product Category': 'text', Vendor: 'text' } as const),
  ...({ 'Gift Card': 'yesNo', 'Variant Requires Shipping': 'yesNo', 'Variant SKU': 'text', 'Variant Price': 'price' } as const),
  ...({ 'Variant Grams': 'amount', 'Variant Inventory Qty': 'whole', 'Variant Compare At Price': 'price' } as const),
  ...({ 'Variant Barcode': 'text', 'Option1 Name': 'text', 'Option1 Value': 'text', 'Option2 Name': 'text' } as const),
  ...({ 'Option2 Value': 'text', 'Option3 Name': 'text', 'Option3 Value': 'text', 'Image Src': 'webUrl' } as const),
  ...({ 'Image Position': 'whole', 'Image Alt Text': 'text', 'Variant Image': 'webUrl' } as const),
} as const satisfies Readonly<Record<string, CellKind>>;

export type Column = keyof typeof KINDS;
export type TextColumn = { [C in Column]: (typeof KINDS)[C] extends 'text' ? C : never }[Column];

export const COLUMNS = Object.keys(KINDS) as readonly Column[];

/** The names of columns in newer exports. */
const RENAMED: Readonly<Record<string, Column>> = {
  'URL handle': 'Handle',
  Description: 'Body (HTML)',
  'Published on online store': 'Published',
  SKU: 'Variant SKU',
  Barcode: 'Variant Barcode',
  Price: 'Variant Price',
  'Compare-at price': 'Variant Compare At Price',
  'Inventory quantity': 'Variant Inventory Qty',
  'Weight value (grams)': 'Variant Grams',
  'Requires shipping': 'Variant Requires Shipping',
  'Product image URL': 'Image Src',
  'Variant image URL': 'Variant Image',
};

export const COLUMN_NAMES: ReadonlyMap<string, Column> = new Map([
  ...COLUMNS.map((column) => [column, column] as const),
  ...Object.entries(RENAMED),
]);

const BY_LOWER_CASE: ReadonlyMap<string, Column> = new Map(
  [...COLUMN_NAMES].map(([name, column]) => [name.toLowerCase(), column] as const),
);

export const isColumnName = (name: string): boolean => BY_LOWER_CASE.has(name.toLowerCase());

export interface Header {
  readonly line: number;
  readonly places: ReadonlyMap<Column, number>;
  readonly names: readonly string[];
}

/** A name without what is not seen: files of spreadsheets have zero-width characters and no-break blanks in it. */
const visible = (name: string): string =>
  name
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

export const readHeader = ({ line, cells }: { readonly line: number; readonly cells: readonly string[] }): Header => {
  const names = cells.map(visible);
  const places = new Map<Column, number>();
  names.forEach((name, place) => {
    const column = BY_LOWER_CASE.get(name.toLowerCase());
    if (column !== undefined && !places.has(column)) places.set(column, place);
  });
  return { line, names, places };
};

/**
 * A cell by the name of its column: undefined where the file lacks the column, the row ends before
 * it, or the cell is blank. None of these says anything about the stored value. `text` is trimmed;
 * `exact` is as in the file. `spelt` is for the readers of cells that are not texts.
 */
export interface Cells {
  readonly exact: (column: TextColumn) => string | undefined;
  readonly text: (column: TextColumn) => string | undefined;
  readonly spelt: (column: Column) => string | undefined;
}

export const cellsByName = ({ places }: Header, cells: readonly string[]): Cells => {
  const raw = (column: Column): string | undefined => cells[places.get(column) ?? -1];
  const spelt = (column: Column): string | undefined => raw(column)?.trim() || undefined;
  return { text: spelt, spelt, exact: (column) => (spelt(column) === undefined ? undefined : raw(column)) };
};
