import type { CallOptions, Details } from './call.ts';
import { createProgress } from './progress.ts';
import { waitBefore } from './retry.ts';
import type { Product } from './types.ts';
import { wait } from './wait.ts';

const PATH = '/apps/catalog/products/export';
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

const isWhole = (lines: readonly ExportLine[]): boolean => typeof lines.at(-1)?.more === 'boolean';

/**
 * The lines of an answer. Of one that has ended early, those that came whole, so that the export continues behind its last
 * product. Without a product, the answer is as good as none.
 */
const parse = (text: string): readonly ExportLine[] => {
  const texts = text.trimEnd().split('\n');
  const parseLine = (line: string) => JSON.parse(line) as ExportLine;
  const before = texts.slice(0, -1).map(parseLine);
  const lines = [...before];
  try {
    lines.push(parseLine(texts.at(-1) ?? ''));
  } catch (error) {
    if (!before.some(isProduct)) throw error;
  }
  if (!isWhole(lines) && !lines.some(isProduct)) throw new Error('incomplete');
  return lines;
};

const LONGEST_WAIT = 30_000;

/** Reads the products in parts, so that a request that fails is repeated from where it began. */
export const exportProducts = async (
  read: (details: Details) => Promise<readonly ExportLine[]>,
  { after, ...options }: ExportOptions,
): Promise<ProductExport> => {
  const part = (from: string | undefined) => read({ ...options, query: { after: from, take: TAKE }, parse });
  const first = await part(after);
  const products = async function* () {
    const passes = createProgress(PATH, after);
    for (let [lines, last, cuts] = [first, after, 0]; ; lines = await part(last)) {
      for (const line of lines.filter(isProduct)) {
        yield line;
        last = line.after;
      }
      if (lines.at(-1)?.more === false) return;
      passes(last);
      cuts = isWhole(lines) ? 0 : cuts + 1;
      if (cuts > 0) await wait(waitBefore({ headers: new Headers() }, cuts, LONGEST_WAIT), options.signal);
    }
  };
  return { feed: first[0]?.feed ?? '', products: products() };
};
