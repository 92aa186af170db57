import { z } from 'zod';

import { MAX_KEPT_ERRORS, MAX_KEPT_MESSAGE, RECORDED_ENDS, IMPORTS_KEPT_DAYS } from '../../../domain/catalogue/import-record.ts';
import { IMPORT_ENDS, MAX_REPORTED, type ImportProgress } from '../../../domain/catalogue/product-import.ts';
import { ok, refuse } from '../../../domain/result.ts';
import { charsetOf } from '../../../domain/values/charset.ts';
import { importFile } from '../import/import-file.ts';
import type { ReadDocument } from '../import/ndjson.ts';
import { SpoolUnavailable } from '../import/spool.ts';
import { dryRunFlag, isDryRun } from '../kit/fields.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { placedItems, asPlacedItems, placePaging, fromOf } from '../kit/page.ts';
import { nameOf } from '../kit/text.ts';
import { EXPORT_ENDS, INCOMPLETE, NDJSON, ndjson } from '../ndjson.ts';
import { route } from '../route.ts';
import { judge } from '../serving/input/judge.ts';
import { adminExportQuery, exportAnswer } from './product-exports.ts';
import { productDocument } from './products.ts';

const importQuery = z.object({
  dryRun: dryRunFlag('1: writes nothing, and reports what the import would do.'),
  allowRemovals: dryRunFlag(
    '1: imports the file also if it removes more than ten variants and more than a tenth of those of its products.',
  ),
  fileName: nameOf().optional().meta({ description: 'What the file is called in the list of imports.' }),
});

const importCounts = {
  read: z.int().describe('Products found in the file, plus places where none could be read.'),
  created: z.int(),
  updated: z.int().describe('Existing products that the file changed.'),
  unchanged: z.int().describe('Existing products that are as the file has them.'),
  failed: z.int(),
  variantsRemoved: z.int().describe('Stored variants that the file does not have.'),
  imagesRemoved: z.int().describe('Stored images that the file does not have.'),
  stockRemoved: z.int().describe('The available stock of what was removed.'),
};

const importFault = z.object({ line: z.int(), message: z.string() });

export const importReport = z
  .object({
    ...importCounts,
    ended: z
      .enum(IMPORT_ENDS)
      .describe(
        '`complete`: the whole file was read. `refused`: nothing was imported, because the file is not a catalogue or would remove many variants. ' +
          '`stopped`: the server stopped, or your access ended, before the end of the file. In the last two cases, the first of `errors` says why.',
      ),
    nextLine: z
      .int()
      .nullable()
      .describe('The line from which to continue a stopped import: everything before it is done. Otherwise null.'),
    wouldRemove: z
      .object({
        variants: z.int(),
        ofVariants: z.int().describe('The stored variants of the products in the file.'),
        images: z.int(),
        stock: z.int().describe('The available stock of what would be removed.'),
      })
      .nullable()
      .describe('What the file would remove, if it was refused for that. Send it again with `allowRemovals=1` to import it.'),
    errors: z.array(importFault).describe(`The first ${MAX_REPORTED.toLocaleString('en')} failures. Lines are counted from 1.`),
    notes: z
      .array(importFault)
      .describe(
        'The first 1,000 notes about content that was not imported exactly as in the file: notes on the whole file, then notes on its products.',
      ),
  })
  .meta({
    id: 'ImportReport',
    description: 'The result of an import. `read` is `created` + `updated` + `unchanged` + `failed`.',
    examples: [
      {
        read: 33,
        created: 32,
        updated: 0,
        unchanged: 0,
        failed: 1,
        variantsRemoved: 0,
        imagesRemoved: 0,
        stockRemoved: 0,
        ended: 'complete',
        nextLine: null,
        wouldRemove: null,
        errors: [{ line: 7, message: 'Variant Price "abc" must be 0 to 999,999,999,999.99 with at most 4 decimals.' }],
        notes: [],
      },
    ],
  });

export const productImport = z
  .object({
    id: z.guid().meta({ description: 'The X-Request-Id of the import.' }),
    by: z.string().meta({ description: 'The name of the operator who asked for it.' }),
    fileName: z.string().nullable(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable().meta({ description: 'Null while it runs, like `ended`.' }),
    ended: z
      .enum(RECORDED_ENDS)
      .nullable()
      .describe(
        '`complete`: the whole file was read. `refused`: nothing was imported, because the file is not a catalogue or would remove many variants. ' +
          '`stopped`: the server stopped, or the access of the sender ended, before the end of the file. `broken_off`: the upload ended early, or the server was killed.',
      ),
    ...importCounts,
    errors: z
      .array(importFault)
      .readonly()
      .meta({
        description: `The first ${String(MAX_KEPT_ERRORS)} failures, each cut to ${String(MAX_KEPT_MESSAGE)} characters.`,
      }),
  })
  .meta({
    id: 'ProductImport',
    examples: [
      {
        id: exampleId(62),
        by: 'Ada Lovelace',
        fileName: 'products.csv',
        startedAt: EXAMPLE_TIME,
        endedAt: '2026-11-21T09:30:04.120Z',
        ended: 'complete',
        ...{ read: 33, created: 30, updated: 1, unchanged: 1, failed: 1, variantsRemoved: 2, imagesRemoved: 0, stockRemoved: 7 },
        errors: [{ line: 7, message: 'Variant Price "abc" must be 0 to 999,999,999,999.99 with at most 4 decimals.' }],
      },
    ],
  });

export const productImportPage = placedItems(productImport, 'ProductImportPage');

const productImportQuery = z.object(placePaging).transform(fromOf);

const NDJSON_EXAMPLE =
  '{"name":"Dovetail saw","slug":"dovetail-saw","variants":[{"sku":"SAW-280","currency":"EUR","price":62.5}]}\n';
const CSV_EXAMPLE = 'Handle,Title,Status,Variant SKU,Variant Price\ndovetail-saw,Dovetail saw,active,SAW-280,62.50\n';
/**
 * The log reports the progress of an import after this many products, or this many milliseconds.
 */
const TELL_EVERY = { products: 10_000, ms: 5_000 };

/** Judges a line's value by the schema of a product document. */
export const readDocument: ReadDocument = (json) => judge(productDocument, json);

const nowAndThen = (tell: (counts: ImportProgress) => void): ((counts: ImportProgress) => void) => {
  let told = { read: 0, at: performance.now() };
  return (counts) => {
    const now = performance.now();
    if (counts.read - told.read < TELL_EVERY.products && now - told.at < TELL_EVERY.ms) return;
    told = { read: counts.read, at: now };
    tell(counts);
  };
};

const importProducts = route
  .post('/admin/stores/:storeId/products/import', 'importProducts')
  .admin('Products')
  .summary(
    'Import products',
    'Imports a Shopify product export (text/csv) or one product document per line (application/x-ndjson), of any size. ' +
      'Name a charset other than UTF-8 in Content-Type, for example `text/csv; charset=windows-1252`. ' +
      'A product with an invalid row is reported and left as it is, and the rest is imported. Products are matched by ' +
      'id, slug or former slug, and variants by id, SKU or option values, so repeating an import changes nothing. ' +
      'A product may appear once per file: a later line with the same product or slug fails and names the earlier line. ' +
      'A missing column or field, and a blank cell, keep the stored value. ' +
      'If the file would remove more than ten variants and more than a tenth of those of its products, nothing is imported unless `allowRemovals=1`. If the server stops, or if your access ends, it answers before the next batch and reports how far it got. ' +
      'With `dryRun=1`, nothing is written, and the report says what the import would do.',
  )
  .query(importQuery)
  .tries(isDryRun)
  .streams('text/csv', NDJSON)
  .returns(200, importReport)
  .example({ body: { 'text/csv': CSV_EXAMPLE, [NDJSON]: NDJSON_EXAMPLE } })
  .refuses('not_found', 'unsupported_media_type', 'unavailable')
  .handle(async (app, { actor, params: { storeId }, query, body, cause, context }) => {
    const store = await app.getStore(storeId);
    if (!store.ok) return store;
    const known = charsetOf(body.charset);
    if (known === null) return refuse('unsupported_media_type', `The charset ${JSON.stringify(body.charset)} is not supported.`);
    const { renewal } = context;
    const { currency } = store.value;
    const upload = { bytes: body.read(renewal), contentType: body.contentType, charset: known, currency, readDocument };
    const file = importFile(upload, context.left);
    const onProgress = nowAndThen((counts) => {
      context.progress({ store: storeId, ...counts }, 'importing products');
    });
    const { stopping } = context.resources;
    const source = { by: actor.name, fileName: query.fileName ?? null };
    const asked = { isDryRun: isDryRun(query), allowsRemovals: query.allowRemovals === '1' };
    const options = { onProgress, stopping, access: renewal, source, preview: file.preview, ...asked };
    try {
      const { errors, notes, ...figures } = await app.importProducts(cause, storeId, file.items, options);
      context.progress({ store: storeId, ...figures }, 'imported products');
      return ok({ ...figures, errors, notes });
    } catch (error) {
      if (error instanceof SpoolUnavailable) return refuse('unavailable', error.message);
      throw error;
    } finally {
      await file.close();
    }
  });

const listProductImports = route
  .get('/admin/stores/:storeId/product-imports', 'listProductImports')
  .admin('Products')
  .summary(
    'List product imports',
    `Lists the imports of products, newest first: who, when, what came of each, and its first failures. Dry runs are not listed. An import is kept for ${String(IMPORTS_KEPT_DAYS)} days.`,
  )
  .query(productImportQuery)
  .returns(200, productImportPage)
  .refuses('not_found', 'invalid')
  .handle(async (app, { params, query }) => {
    const listed = await app.listProductImports(params.storeId, query);
    return listed.ok ? ok(asPlacedItems(listed.value)) : listed;
  });

const exportProducts = route
  .get('/admin/stores/:storeId/products/export', 'exportProducts')
  .admin('Products')
  .summary(
    'Export products',
    'Streams every product that is not deleted, one document per line, oldest first. The import accepts this format. ' +
      'With `format=app`, the lines are those that an app gets: the cursor of the feed, and the products with all their details. ' +
      EXPORT_ENDS,
  )
  .query(adminExportQuery)
  .returns(200, z.string(), NDJSON)
  .example({ response: NDJSON_EXAMPLE })
  .refuses('invalid', 'not_found')
  .handle(async (app, { params: { storeId }, query: { format }, context: { renewal } }) => {
    const feed = await app.newestCursor(storeId);
    if (!feed.ok) return feed;
    if (format === 'app') return ok(exportAnswer(app.exportWholeProducts(storeId), { feed: feed.value, renewal }));
    return ok(ndjson(app.exportProducts(storeId), { renewal, lastLine: INCOMPLETE }));
  });

export const importRoutes = [importProducts, exportProducts, listProductImports];
