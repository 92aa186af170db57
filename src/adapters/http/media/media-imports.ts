import { z } from 'zod';

import { ENDED_ITEM } from '../../../domain/events/event-data.ts';
import { MAX_ANIMATED_PIXELS, MAX_IMAGE_BYTES, MAX_PIXELS } from '../../../domain/media/image.ts';
import { MAX_ALT_TEXT_LENGTH, MAX_ITEMS, type ItemInput } from '../../../domain/media/import-request.ts';
import { IMPORT_STATUSES } from '../../../domain/media/media-import.ts';
import { MAX_URL_LENGTH } from '../../../domain/values/url.ts';
import { listOf } from '../kit/bounded.ts';
import { exampleId, exampleOf } from '../kit/example-record.ts';
import { integer, uuidField } from '../kit/fields.ts';
import { limit } from '../kit/limits.ts';
import { answerOf } from '../kit/records.ts';
import { route } from '../route.ts';

const SOURCE = 'https://images.example.com/dovetail-saw.jpg';

const item = z
  .object({
    sourceUrl: z.string().meta({
      description: `An absolute https URL of at most ${String(MAX_URL_LENGTH)} characters, without credentials. Private addresses are not contacted. At most 3 redirects are followed.`,
    }),
    productId: uuidField,
    productVariantId: uuidField.nullish().meta({ description: 'A variant of the product.' }),
    altText: z
      .string()
      .nullish()
      .meta({ description: `At most ${String(MAX_ALT_TEXT_LENGTH)} characters.` }),
    position: integer.nullish().meta({ description: "By default, after the product's last media." }),
    aiGenerated: z.boolean().optional().meta({ description: 'Default: false.' }),
  })
  .meta({ id: 'MediaImportItemRequest', examples: [{ sourceUrl: SOURCE, productId: exampleId(1), altText: 'A dovetail saw' }] });

export const retryFields = {
  retryAt: z.iso.datetime().nullable().meta({
    description:
      'When the image is fetched again, after the host was busy or not reachable. Null when it does not wait for that.',
  }),
  retryReason: z.string().nullable().meta({ description: 'What the host answered the last time, while the item waits.' }),
};

const mediaImportRequest = z
  .object({ items: listOf(item, { min: 1, max: MAX_ITEMS }) })
  .transform(({ items }): { items: ItemInput[] } => ({ items }))
  .meta({
    id: 'MediaImportRequest',
    description: `1 to ${String(MAX_ITEMS)} images in JPEG, PNG, WebP, GIF or still AVIF format, detected from their bytes. Each may have at most ${MAX_IMAGE_BYTES / 1_048_576} MiB and ${MAX_PIXELS / 1e6} megapixels (${MAX_ANIMATED_PIXELS / 1e6} in all frames of an animation).`,
  });

const mediaImportItem = answerOf(ENDED_ITEM).extend(retryFields).meta({ id: 'MediaImportItem' });

const retry = { retryAt: null, retryReason: null };
const pending = { index: 0, status: 'Pending', mediaId: null, error: null, errorCode: null };

const mediaImportExamples = {
  request: { items: [{ sourceUrl: SOURCE, productId: exampleId(1), altText: 'A dovetail saw', position: 0 }] },
  queued: { importId: exampleId(50), status: 'Queued', items: [{ ...pending, ...retry }] },
  completed: {
    importId: exampleId(50),
    status: 'Completed',
    items: [{ ...exampleOf(ENDED_ITEM), ...retry }],
  },
};

export const mediaImportResponse = z
  .object({
    importId: z.guid(),
    status: z.enum(IMPORT_STATUSES).meta({
      description:
        'Completed: every item is Ready. CompletedWithErrors: only some items are. Failed: no item is, or the app was uninstalled.',
    }),
    items: z.array(mediaImportItem).readonly().meta({ description: 'In the order of the request.' }),
  })
  .meta({ id: 'MediaImport', examples: [mediaImportExamples.completed] });

const path = '/apps/media/imports';

export const ownMediaImportRoutes = [
  route
    .post(path, 'createMediaImport')
    .scope('write_products', 'Media')
    .summary(
      'Import images',
      'Each image is fetched in the background, stored, and added to its product. Poll the import, or subscribe to `media.import_completed` and `media.import_failed`.',
    )
    .idempotent()
    .body(mediaImportRequest)
    .returns(202, mediaImportResponse)
    .refuses('invalid', 'conflict')
    .example({ body: mediaImportExamples.request, response: mediaImportExamples.queued })
    .handle((app, { tx, caller, body }) => app.createMediaImport(tx, caller, body.items)),
  route
    .get(`${path}/:id`, 'getMediaImport')
    .scope('read_products', 'Media')
    .summary('Get a media import', `Returns an import of this installation. It is kept for ${limit('log')} after its end.`)
    .returns(200, mediaImportResponse)
    .refuses('not_found')
    .example({ response: mediaImportExamples.completed })
    .handle((app, { caller, params }) => app.getMediaImport(caller, params.id)),
];
