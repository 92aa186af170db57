import { formatPlace } from '../../../domain/catalogue/product-place.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import { Raw } from '../answer.ts';
import { NDJSON } from '../schemas/product-export.ts';

/** A reader that takes nothing for this time has to continue with another request. */
const STALL_SECONDS = 30;

async function* linesOf(feed: string, products: AsyncIterable<Product>, take = Infinity): AsyncGenerator<string> {
  yield `${JSON.stringify({ feed })}\n`;
  let count = 0;
  for await (const product of products) {
    count += 1;
    yield `${JSON.stringify({ product, after: formatPlace(product) })}\n`;
  }
  yield `${JSON.stringify({ more: count === take })}\n`;
}

/** The lines of an export for apps. `take`: the number of products after which it ended. */
export const exportAnswer = (feed: string, products: AsyncIterable<Product>, take?: number): Raw =>
  new Raw(linesOf(feed, products, take), NDJSON, { stallSeconds: STALL_SECONDS, isCompressible: true });
