import { z } from 'zod';

import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { formatPlace, parsePlace } from '../../../domain/catalogue/product-place.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import { ok, refuse } from '../../../domain/result.ts';
import type { Raw } from '../answer.ts';
import { FEED_CURSOR_EXAMPLE } from '../kit/page.ts';
import { exampleOf } from '../kit/example-record.ts';
import { ndjson, NDJSON, STALL_SECONDS } from '../ndjson.ts';
import type { Renewal } from '../renewal.ts';
import { route } from '../route.ts';
import { MAX_EXPORTS } from '../work-share.ts';

/** For the merchant's export. */
export const adminExportQuery = z.object({
  format: z.enum(['documents', 'app']).default('documents').meta({
    description: 'documents: as the import reads them. app: as an app gets them.',
  }),
});

const product = exampleOf(PRODUCT);

const productExportQuery = z.object({
  after: z
    .string()
    .transform((text, context) => {
      const place = parsePlace(text);
      if (place === null) context.addIssue('must be the value of `after` in a line of an earlier export');
      return place;
    })
    .optional()
    .meta({
      description: 'The `after` of the last line that you have. By default, the export starts with the oldest product.',
      examples: [formatPlace(product)],
    }),
  take: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0')
    .transform(Number)
    .optional()
    .meta({ description: 'The export ends after this many products. By default, it has all of them.' }),
});

const PRODUCT_EXPORT_EXAMPLE = [
  { feed: FEED_CURSOR_EXAMPLE },
  { product: { id: product.id, name: product.name }, after: formatPlace(product) },
  { more: false },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

interface ExportAnswer {
  /** A cursor from before the first page was read. */
  readonly feed: string;
  /** Limit of products. */
  readonly take?: number | undefined;
  readonly renewal: Renewal;
}

async function* pagesOf(pages: AsyncIterable<readonly Product[]>, { feed, take }: ExportAnswer): AsyncGenerator<object[]> {
  yield [{ feed }];
  let count = 0;
  for await (const page of pages) {
    count += page.length;
    yield page.map((product) => ({ product, after: formatPlace(product) }));
  }
  yield [{ more: count === take }];
}

/** The lines of an export for apps. Without its last line, it is not complete. */
export const exportAnswer = (pages: AsyncIterable<readonly Product[]>, options: ExportAnswer): Raw =>
  ndjson(pagesOf(pages, options), { renewal: options.renewal, isCompressible: true });

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
