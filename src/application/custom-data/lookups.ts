import type { Caller } from '../../domain/identity/caller.ts';
import { isMetaobjectType, parseHandle, type Entry } from '../../domain/custom-data/metaobject.ts';
import type { Page, PageOf } from '../../domain/page.ts';
import type { EntryPlace } from '../../domain/ports/custom-data/metaobject-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { orNotFound, notFound, ok, type Result } from '../../domain/result.ts';

/** Null for a type or a handle that no entry can have. */
export const placeOf = ({ storeId, installationId }: Caller, type: string, text: string): EntryPlace | null => {
  const handle = parseHandle(text);
  return isMetaobjectType(type) && handle !== null ? { storeId, installationId, type, handle } : null;
};

interface EntryQuery {
  readonly after: string | null;
  readonly take: number;
  readonly product?: string | undefined;
}

interface EntryPage {
  readonly items: readonly Entry[];
  /** The handle behind which the list continues. Null at its end. */
  readonly next: string | null;
}

export const customDataLookups = ({ metaobjects }: Pick<Ports, 'metaobjects'>) => ({
  getEntry: orNotFound('Entry', async (caller: Caller, type: string, handle: string) => {
    const place = placeOf(caller, type, handle);
    return place && metaobjects.find(place);
  }),
  listEntries: async (storeId: string, type: string, page: Page): Promise<Result<PageOf<Entry>, 'not_found'>> => {
    const entries = isMetaobjectType(type) ? await metaobjects.list(storeId, type, page) : null;
    return entries ? ok(entries) : notFound('Metaobject type');
  },
  /** A page of the caller's entries of the type, by handle. */
  listOwnEntries: async (
    caller: Caller,
    type: string,
    { after, take, product }: EntryQuery,
  ): Promise<Result<EntryPage, 'not_found'>> => {
    const range = { after, limit: take + 1, product };
    const entries = isMetaobjectType(type) ? await metaobjects.listOwn(caller, type, range) : null;
    if (!entries) return notFound('Metaobject type');
    const items = entries.slice(0, take);
    return ok({ items, next: entries.length > take ? (items.at(-1)?.handle ?? null) : null });
  },
});
