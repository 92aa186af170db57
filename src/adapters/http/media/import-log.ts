import { z } from 'zod';

import { IMPORT_STATUSES, ITEM_ERRORS, ITEM_STATUSES } from '../../../domain/media/media-import.ts';
import { ok } from '../../../domain/result.ts';
import { several } from '../kit/bounded.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { uuidField } from '../kit/fields.ts';
import { limit } from '../kit/limits.ts';
import { placePaging, fromOf, placedItems, asPlacedItems } from '../kit/page.ts';
import { route } from '../route.ts';
import { retryFields } from './media-imports.ts';

const error = { code: 'too_large', message: 'The image has more than 20 MiB.' };

export const importExample = {
  id: exampleId(50),
  installationId: exampleId(30),
  status: 'CompletedWithErrors',
  items: { total: 3, ready: 2, failed: 1 },
  createdAt: EXAMPLE_TIME,
  finishedAt: '2026-11-21T09:30:04.120Z',
  firstError: error,
};

const fields = {
  id: z.guid(),
  installationId: z.guid(),
  status: z.enum(IMPORT_STATUSES),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable().meta({ description: 'Null while the import is queued or running.' }),
  firstError: z
    .object({ code: z.enum(ITEM_ERRORS), message: z.string() })
    .nullable()
    .meta({ description: 'The error of the first failed item.' }),
};

export const importSummary = z
  .object({ ...fields, items: z.object({ total: z.int(), ready: z.int(), failed: z.int() }) })
  .meta({ id: 'MediaImportSummary', examples: [importExample] });

export const importPage = placedItems(importSummary, 'MediaImportPage');

const item = z.object({
  index: z.int().meta({ description: 'The position in the request, starting at 0.' }),
  status: z.enum(ITEM_STATUSES),
  sourceUrl: z.string(),
  productId: z.guid(),
  productVariantId: z.guid().nullable(),
  mediaId: z.guid().nullable().meta({ description: 'The id of the media in the product detail, once the item is Ready.' }),
  errorCode: z.enum(ITEM_ERRORS).nullable(),
  error: z.string().nullable(),
  ...retryFields,
});

const itemExample = {
  index: 0,
  status: 'Failed',
  sourceUrl: 'https://images.example.com/dovetail-saw.jpg',
  productId: exampleId(1),
  productVariantId: null,
  mediaId: null,
  errorCode: error.code,
  error: error.message,
  retryAt: null,
  retryReason: null,
};

export const importDetail = z
  .object({
    ...fields,
    storeId: z.guid(),
    requestId: z.guid().nullable().meta({ description: 'The X-Request-Id of the request that created it.' }),
    items: z.array(item).readonly().meta({ description: 'In the order of the request.' }),
  })
  .meta({
    id: 'MediaImportDetail',
    examples: [{ ...importExample, storeId: exampleId(99), requestId: exampleId(62), items: [itemExample] }],
  });

const mediaImportQuery = z
  .object({
    ...placePaging,
    installationId: uuidField.optional().meta({ description: 'Only imports of this app.' }),
    status: several(z.enum(IMPORT_STATUSES), IMPORT_STATUSES.length).meta({
      description: 'Only imports with one of these statuses.',
    }),
  })
  .transform(({ after, take, installationId, status }) => ({
    from: fromOf({ after, take }),
    filter: { installationId, statuses: status },
  }));

export const mediaImportRoutes = [
  route
    .get('/admin/stores/:storeId/media-imports', 'listMediaImports')
    .admin('Insight')
    .summary(
      'List media imports',
      `Lists the media imports of the store's apps, newest first. An import is kept for ${limit('log')} after its end.`,
    )
    .query(mediaImportQuery)
    .returns(200, importPage)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const listed = await app.listMediaImports(params.storeId, query.filter, query.from);
      return listed.ok ? ok(asPlacedItems(listed.value)) : listed;
    }),
  route
    .get('/admin/media-imports/:importId', 'getMediaImport')
    .admin('Insight')
    .summary('Get a media import', 'Returns the import with its items.')
    .returns(200, importDetail)
    .refuses('not_found')
    .handle((app, { params }) => app.getImportDetail(params.importId)),
];
