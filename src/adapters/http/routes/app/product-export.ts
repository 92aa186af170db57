import { z } from 'zod';

import { ok } from '../../../../domain/result.ts';
import { NDJSON } from '../../ndjson.ts';
import { route } from '../../route.ts';
import { PRODUCT_EXPORT_EXAMPLE, productExportQuery } from '../../schemas/product-export.ts';
import { exportAnswer } from '../product-export-answer.ts';

export const productExportRoutes = [
  route
    .get('/apps/catalog/products/export', 'exportProducts')
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
      return feed.ok ? ok(exportAnswer(feed.value, app.exportWholeProducts(storeId, after, take), take)) : feed;
    }),
];
