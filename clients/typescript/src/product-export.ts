import type { CallOptions, Details } from './call.ts';
import type { Product } from './types.ts';

/** Products of one request. */
const TAKE = 100;

/** Where an export begins. */
export interface ExportOptions extends CallOptions {
  /** The `after` of the last product that you have. By default the first product of the store. */
  readonly after?: string | undefined;
}

/** A product, and where the export continues behind it. */
export interface ExportedProduct {
  readonly product: Product;
  readonly after: string;
}

/** All products of the store, and the place of the feed from which you miss no change of them. */
export interface ProductExport {
  /** Follow the feed from here when you have all products. Of an export that you continue, keep that of the first part. */
  readonly feed: string;
  /** The next ones are read as you iterate. */
  readonly products: AsyncGenerator<ExportedProduct, void>;
}

/** The first line has the feed, the last says whether there is more, and those between have a product each. */
export type ExportLine = Partial<ExportedProduct> & { readonly feed?: string; readonly more?: boolean };

const isProduct = (line: ExportLine): line is ExportedProduct => line.product !== undefined;

/** The values of a text that has one JSON value a line. */
const parse = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

/** Reads the products in parts, so that a request that fails is repeated from where it began. */
export const exportProducts = async (
  read: (details: Details) => Promise<readonly ExportLine[]>,
  { after, ...options }: ExportOptions,
): Promise<ProductExport> => {
  const part = (from: string | undefined) => read({ ...options, query: { after: from, take: TAKE }, parse });
  const first = await part(after);
  const products = async function* () {
    for (let [lines, last] = [first, after]; ; lines = await part(last)) {
      for (const line of lines.filter(isProduct)) {
        yield line;
        last = line.after;
      }
      if (lines.at(-1)?.more === false) return;
    }
  };
  return { feed: first[0]?.feed ?? '', products: products() };
};
