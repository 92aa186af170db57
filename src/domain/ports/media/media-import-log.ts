import type { ImportDetail, ImportSummary } from '../../media/import-summary.ts';
import type { ImportStatus } from '../../media/media-import.ts';
import type { Place } from '../../place.ts';

export interface ImportFilter {
  readonly installationId?: string | undefined;
  readonly statuses?: readonly ImportStatus[] | undefined;
}

export interface MediaImportLog {
  /**
   * Returns at most `take` imports of the store, newest first, from behind the place. Returns only
   * imports that match every filter. Counts the items of each import, and shows the error of the
   * first item that failed. Returns null when the store does not exist.
   */
  list(
    storeId: string,
    filter: ImportFilter,
    from: { readonly after: Place | null; readonly take: number },
  ): Promise<readonly ImportSummary[] | null>;
  /**
   * Returns at most `take` imports of the store with a failed item that ended in the last `days`
   * days, the latest first.
   */
  failed(storeId: string, days: number, take: number): Promise<readonly ImportSummary[]>;
  /**
   * Returns the import with its items, by index. Shows the id of a media only when the media exists.
   * Returns null when the store has no such import.
   */
  get(storeId: string, id: string): Promise<ImportDetail | null>;
}
