import type { CallOptions, Send } from './call.ts';
import type { Product } from './types.ts';

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

type Line = Partial<ExportedProduct> & { readonly feed?: string; readonly more?: boolean };

interface Part {
  readonly feed: string;
  readonly products: readonly ExportedProduct[];
  readonly more: boolean;
}

const isProduct = (line: Line): line is ExportedProduct => line.product !== undefined && line.after !== undefined;

/** Reads the products in parts, so that a request that fails is repeated from where it began. */
export const exportProducts = async (send: Send, { after, ...options }: ExportOptions): Promise<ProductExport> => {
  const read = async (from: string | undefined): Promise<Part> => {
    const call = { ...options, method: 'GET', path: PATH, query: { after: from, take: TAKE }, isLines: true } as const;
    const { body: lines } = await send<Line[]>(call);
    return { feed: lines[0]?.feed ?? '', products: lines.filter(isProduct), more: lines.at(-1)?.more !== false };
  };
  const first = await read(after);
  const products = async function* () {
    for (let part = first; ; part = await read(part.products.at(-1)?.after ?? after)) {
      yield* part.products;
      if (!part.more) return;
    }
  };
  return { feed: first.feed, products: products() };
};
