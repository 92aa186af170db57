import { route } from '../route.ts';
import { limit } from '../kit/limits.ts';
import { mediaImportExamples, mediaImportRequest, mediaImportResponse } from './media-import.ts';

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
