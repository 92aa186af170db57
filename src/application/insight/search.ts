import { spanOf, type Found } from '../../domain/insight/found.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { parseUuid } from '../../domain/values/uuid.ts';

/** Finds an id or a text in the store. `unavailable` when the search takes too long. */
export const search =
  ({ finder, ids }: Pick<Ports, 'finder' | 'ids'>) =>
  async (storeId: string, text: string): Promise<Result<readonly Found[], 'not_found' | 'unavailable'>> => {
    const id = parseUuid(text);
    const eventId = id ?? ids.named(storeId, text);
    const found = await finder.find(storeId, { text, id, eventId, requested: id === null ? null : spanOf(id) });
    if (found === 'slow') return refuse('unavailable', 'The search took too long. Try again.');
    return found ? ok(found) : notFound('Store');
  };
