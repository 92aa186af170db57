import type { Caller } from '../../domain/identity/caller.ts';
import { importView } from '../../domain/media/media-import.ts';
import { pageByPlace, type PlacedPageQuery } from '../../domain/place.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { ImportFilter } from '../../domain/ports/media/media-import-log.ts';
import { orNotFound } from '../../domain/result.ts';

type LookupPorts = Pick<Ports, 'locator' | 'mediaImportLog' | 'mediaImports'>;

export const mediaLookups = ({ locator, mediaImportLog, mediaImports }: LookupPorts) => ({
  /** An image import of any app, as the merchant sees it. */
  getImportDetail: orNotFound('Media import', async (id: string) => {
    const storeId = await locator.storeOf('media-import', id);
    return storeId === null ? null : mediaImportLog.get(storeId, id);
  }),
  /** The state of the import. An app sees only its own imports. */
  getMediaImport: orNotFound('Media import', async (caller: Caller, id: string) => {
    const media = await mediaImports.get(caller, id);
    return media && importView(media);
  }),
  /** Image imports of a store's apps, the newest first. */
  listMediaImports: orNotFound('Store', (storeId: string, filter: ImportFilter, query: PlacedPageQuery) =>
    pageByPlace(query, (page) => mediaImportLog.list(storeId, filter, page), 'createdAt'),
  ),
});
