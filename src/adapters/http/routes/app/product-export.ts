import { z } from 'zod';

import { covers } from '../../../../domain/identity/scope.ts';
import { ok, refuse } from '../../../../domain/result.ts';
import { AccessEnded } from '../../access-ended.ts';
import { MAX_EXPORTS } from '../../work-share.ts';
import type { HandlerContext } from '../../handler.ts';
import { NDJSON } from '../../ndjson.ts';
import { route } from '../../route.ts';
import { PRODUCT_EXPORT_EXAMPLE, productExportQuery } from '../../schemas/product-export.ts';
import { exportAnswer, STALL_SECONDS } from '../product-export-answer.ts';

const SCOPE = 'read_products';
/** After this time, the place of a reader that takes nothing is free. */
const EXPORTS = { limit: MAX_EXPORTS, windowSeconds: STALL_SECONDS };
const TOO_MANY = refuse(
  'rate_limited',
  `An installation can have at most ${String(MAX_EXPORTS)} exports at once. Retry after the number of seconds in Retry-After.`,
);

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
      const products = app.exportWholeProducts(storeId, { after, limit: take, check: accessOf(context) });
      return ok(exportAnswer(feed.value, products, take));
    }),
];
