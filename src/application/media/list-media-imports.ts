import type { ImportSummary } from '../../domain/media/import-summary.ts';
import type { Place } from '../../domain/place.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { ImportFilter } from '../../domain/ports/media-import-log.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** `next` is where the following page begins; null at the end of the list. */
export interface ImportPage {
  readonly items: readonly ImportSummary[];
  readonly next: Place | null;
}

/** Image imports of a store's apps, the newest first. */
export const listMediaImports =
  ({ mediaImportLog }: Pick<Ports, 'mediaImportLog'>) =>
  async (
    storeId: string,
    filter: ImportFilter,
    { after, take }: { readonly after: Place | null; readonly take: number },
  ): Promise<Result<ImportPage, 'not_found'>> => {
    const found = await mediaImportLog.list(storeId, filter, { after, take: take + 1 });
    if (found === null) return notFound('Store');
    const items = found.slice(0, take);
    const last = items.at(-1);
    return ok({ items, next: last && found.length > take ? { at: Date.parse(last.createdAt), id: last.id } : null });
  };
