import { formatPlace } from '../../../domain/catalogue/product-place.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import type { Raw } from '../answer.ts';
import { ndjson } from '../ndjson.ts';

/** A reader that takes nothing for this time has to continue with another request. */
export const STALL_SECONDS = 30;

async function* linesOf(feed: string, products: AsyncIterable<Product>, take = Infinity): AsyncGenerator<object> {
  yield { feed };
  let count = 0;
  for await (const product of products) {
    count += 1;
    yield { product, after: formatPlace(product) };
  }
  yield { more: count === take };
}

/** The lines of an export for apps. `take`: the number of products after which it ended. */
export const exportAnswer = (feed: string, products: AsyncIterable<Product>, take?: number): Raw =>
  ndjson(linesOf(feed, products, take), { stallSeconds: STALL_SECONDS, isCompressible: true });
