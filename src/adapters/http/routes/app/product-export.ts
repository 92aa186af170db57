import { z } from 'zod';

import { formatPlace } from '../../../../domain/catalogue/product-place.ts';
import type { Product } from '../../../../domain/catalogue/product.ts';
import { ok } from '../../../../domain/result.ts';
import { Raw } from '../../answer.ts';
import { route } from '../../route.ts';
import { NDJSON, PRODUCT_EXPORT_EXAMPLE, productExportQuery } from '../../schemas/product-export.ts';

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

export const productExportRoutes = [
  route
    .get('/apps/catalog/products/export')
    .scope('read_products', 'Catalog')
    .summary(
      'Export all products',
      'Streams every product that is not deleted, one per line, oldest first. The first line has `feed`, a cursor of the event feed from before the first product was read: ' +
        'read the feed from there, and you miss nothing. Each product has `after`, with which an interrupted export continues. Keep the `feed` of its first part. ' +
        'The last line has `more`: true if the export ended because of `take`. Without a last line, the export is not complete. It is compressed for `Accept-Encoding: gzip`.',
    )
    .query(productExportQuery)
    .returns(200, z.string(), NDJSON)
    .refuses('invalid', 'not_found')
    .example({ response: PRODUCT_EXPORT_EXAMPLE })
    .handle(async (app, { caller: { storeId }, query: { after = null, take } }) => {
      const feed = await app.newestCursor(storeId);
      if (!feed.ok) return feed;
      const lines = linesOf(feed.value, app.exportWholeProducts(storeId, after, take), take);
      return ok(new Raw(lines, NDJSON, { stallSeconds: STALL_SECONDS, isCompressible: true }));
    }),
];
