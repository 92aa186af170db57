import { z } from 'zod';

import { covers } from '../../../../domain/identity/scope.ts';
import { ok } from '../../../../domain/result.ts';
import { AccessEnded } from '../../access-ended.ts';
import type { HandlerContext } from '../../handler.ts';
import { NDJSON } from '../../ndjson.ts';
import { route } from '../../route.ts';
import { PRODUCT_EXPORT_EXAMPLE, productExportQuery } from '../../schemas/product-export.ts';
import { exportAnswer } from '../product-export-answer.ts';

const SCOPE = 'read_products';

/** An export may take hours, and what the app may read can end meanwhile, as with the next request. */
const accessOf = (context: HandlerContext) => async (): Promise<void> => {
  const present = await context.renewCaller();
  if (present !== null && covers(present.scopes, SCOPE)) return;
  context.notes.reason ??= `needs ${SCOPE}`;
  throw new AccessEnded();
};

export const productExportRoutes = [
  route
    .get('/apps/catalog/products/export', 'exportProducts')
    .scope(SCOPE, 'Catalog')
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
    .handle(async (app, { caller: { storeId }, query: { after = null, take }, context }) => {
      const feed = await app.newestCursor(storeId);
      if (!feed.ok) return feed;
      const products = app.exportWholeProducts(storeId, { after, limit: take, check: accessOf(context) });
      return ok(exportAnswer(feed.value, products, take));
    }),
];
