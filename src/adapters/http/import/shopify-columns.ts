/** The columns that are read, by the names of older exports. docs/import.md describes each. */
export const COLUMNS = [
  ...(['Handle', 'Title', 'Body (HTML)', 'SEO Title', 'SEO Description', 'Status', 'Published', 'Tags'] as const),
  ...(['Type', 'Product Category', 'Vendor', 'Gift Card', 'Variant Requires Shipping'] as const),
  ...(['Variant SKU', 'Variant Price', 'Variant Grams', 'Variant Inventory Qty', 'Variant Compare At Price'] as const),
  ...(['Variant Barcode', 'Option1 Name', 'Option1 Value', 'Option2 Name', 'Option2 Value'] as const),
  ...(['Option3 Name', 'Option3 Value', 'Image Src', 'Image Position', 'Image Alt Text', 'Variant Image'] as const),
] as const;

export type Column = (typeof COLUMNS)[number];

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

export const readHeader = ({ line, cells }: { readonly line: number; readonly cells: readonly string[] }): Header => {
  const names = cells.map((name) => name.trim());
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
 * `exact` is as in the file.
 */
export interface Cells {
  readonly exact: (column: Column) => string | undefined;
  readonly text: (column: Column) => string | undefined;
}

export const cellsByName = ({ places }: Header, cells: readonly string[]): Cells => {
  const raw = (column: Column): string | undefined => cells[places.get(column) ?? -1];
  const text = (column: Column): string | undefined => raw(column)?.trim() || undefined;
  return { text, exact: (column) => (text(column) === undefined ? undefined : raw(column)) };
};
