import type { Cause } from '../../domain/cause.ts';
import { MAX_REMOVED_WITH_TYPE } from '../../domain/custom-data/metaobject.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { plural } from '../../domain/values/plural.ts';
import type { NewEvent } from '../../domain/webhooks/event.ts';

interface Removed {
  readonly id: string;
  readonly installationId: string;
}

/** The app that has the entry gets the event. Its data says that the merchant made the change. */
const removalOf = (storeId: string, { id, installationId }: Removed): NewEvent => ({
  storeId,
  type: 'metaobject.deleted',
  resourceId: id,
  origin: installationId,
  data: { id, origin: null },
});

/** Deletes an entry of any installation for the merchant, with its event. */
export const removeEntry =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  (cause: Cause, storeId: string, type: string, id: string): Promise<Result<null, 'not_found'>> =>
    transaction.run(cause, async (tx) => {
      const removed = await tx.metaobjects.removeEntry(storeId, type, id);
      if (!removed) return notFound('Entry');
      await tx.events.append([removalOf(storeId, removed)]);
      return ok(null);
    });

const inUse = (count: number) => {
  const most = MAX_REMOVED_WITH_TYPE.toLocaleString('en');
  return count > MAX_REMOVED_WITH_TYPE
    ? refuse('conflict', `The type has more than ${most} entries of apps that are not uninstalled. Nothing was deleted.`)
    : refuse(
        'conflict',
        `The type has ${plural(count, 'entry', 'entries')} of apps that are not uninstalled. Nothing was deleted. entries=${String(count)} deletes the type with them.`,
      );
};

/**
 * Deletes a type with its entries for the merchant, who has seen that this many are of apps that are not uninstalled. Those
 * have an event each. Those of uninstalled apps are in nobody's way.
 */
export const removeDefinition =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  (
    cause: Cause,
    storeId: string,
    type: string,
    entries: number,
  ): Promise<Result<{ readonly entries: number }, 'not_found' | 'conflict'>> =>
    transaction.run(cause, async (tx) => {
      if (!(await tx.metaobjects.lockDefinition(storeId, type))) return notFound('Metaobject type');
      const owned = await tx.metaobjects.ownersOf(storeId, type, MAX_REMOVED_WITH_TYPE + 1);
      if (owned.length !== entries || owned.length > MAX_REMOVED_WITH_TYPE) return inUse(owned.length);
      const removed = await tx.metaobjects.removeDefinition(storeId, type);
      await tx.events.append(owned.map((entry) => removalOf(storeId, entry)));
      return ok({ entries: removed });
    });
