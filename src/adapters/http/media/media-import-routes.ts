import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { importDetail, importPage, mediaImportQuery } from './import-log.ts';
import { limit } from '../kit/limits.ts';
import { asPlacedItems } from '../kit/place.ts';

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
