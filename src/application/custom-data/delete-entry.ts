import type { Cause } from '../../domain/cause.ts';
import { STALE_ENTRY, type EntryCondition } from '../../domain/custom-data/metaobject.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { INSTALLATION_GONE } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { placeOf } from './lookups.ts';

/** Deletes the caller's entry, with its event, where the condition accepts it. */
export const deleteEntry =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  async (
    cause: Cause,
    caller: Caller,
    { type, handle }: { readonly type: string; readonly handle: string },
    accepts: EntryCondition | null,
  ): Promise<Result<null, 'unauthenticated' | 'not_found' | 'precondition_failed'>> => {
    const place = placeOf(caller, type, handle);
    if (!place) return notFound('Entry');
    return transaction.run(cause, async (tx) => {
      const { storeId, installationId: origin } = caller;
      if (!(await tx.installations.share(storeId, origin))) return INSTALLATION_GONE;
      const entry = await tx.metaobjects.lockEntry(place);
      if (!entry) return notFound('Entry');
      if (accepts && !accepts(entry)) return STALE_ENTRY;
      await tx.metaobjects.deleteEntry(place);
      const { id } = entry;
      await tx.events.append([{ storeId, type: 'metaobject.deleted', resourceId: id, origin, data: { id, origin } }]);
      return ok(null);
    });
  };
