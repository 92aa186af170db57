import type { Place } from '../../domain/place.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { LoggedRefusal, RefusalFilter } from '../../domain/ports/request-log.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** `next` is where the following page begins; null at the end of the list. */
export interface RefusalPage {
  readonly items: readonly LoggedRefusal[];
  readonly next: Place | null;
}

/** Refused requests of a store, the newest first. */
export const listRefusals =
  ({ requestLog }: Pick<Ports, 'requestLog'>) =>
  async (
    storeId: string,
    filter: RefusalFilter,
    { after, take }: { readonly after: Place | null; readonly take: number },
  ): Promise<Result<RefusalPage, 'not_found'>> => {
    const found = await requestLog.list(storeId, filter, { after, take: take + 1 });
    if (found === null) return notFound('Store');
    const items = found.slice(0, take);
    const last = items.at(-1);
    return ok({ items, next: last && found.length > take ? { at: Date.parse(last.at), id: last.id } : null });
  };
