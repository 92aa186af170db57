import { z } from 'zod';

import { ok, refuse } from '../../../domain/result.ts';
import { MAX_EXPORTS } from '../work-share.ts';
import { NDJSON, STALL_SECONDS } from '../ndjson.ts';
import { route } from '../route.ts';
import { PRODUCT_EXPORT_EXAMPLE, productExportQuery } from './product-export.ts';
import { exportAnswer } from './product-export-answer.ts';

const SCOPE = 'read_products';
/** After this time, the place of a reader that takes nothing is free. */
const EXPORTS = { limit: MAX_EXPORTS, windowSeconds: STALL_SECONDS };
const TOO_MANY = refuse(
  'rate_limited',
  `An installation can have at most ${String(MAX_EXPORTS)} exports at once. Retry after the number of seconds in Retry-After.`,
);

export const productExportRoutes = [
  route
    .get('/apps/catalog/products/export', 'exportProducts')
    .scope(SCOPE, 'Catalog')
    .summary(
      'Export all products',
      'Streams every product that is not deleted, one per line, oldest first. The first line has `feed`, a cursor of the event feed from before the first product was read: ' +
        'read the feed from there, and you miss nothing. Each product has `after`, with which an interrupted export continues. Keep the `feed` of its first part. ' +
        'The last line has `more`: true if the export ended because of `take`. Without a last line, the export is not complete. It is compressed for `Accept-Encoding: gzip`. ' +
        `An installation can have at most ${String(MAX_EXPORTS)} exports at once.`,
    )
    .query(productExportQuery)
    .returns(200, z.string(), NDJSON)
    .refuses('invalid', 'not_found', 'rate_limited')
    .example({ response: PRODUCT_EXPORT_EXAMPLE })
    .handle(async (app, { caller: { storeId, installationId }, query: { after = null, take }, context }) => {
      if (!(await context.resources.workShare.take('export', installationId, context.left))) {
        context.exceeded('exports', EXPORTS);
        return TOO_MANY;
      }
      const feed = await app.newestCursor(storeId);
      if (!feed.ok) return feed;
      const pages = app.exportWholeProducts(storeId, { after, limit: take });
      return ok(exportAnswer(pages, { feed: feed.value, take, renewal: context.renewal }));
    }),
];
