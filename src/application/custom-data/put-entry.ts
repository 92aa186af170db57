import type { Cause } from '../../domain/cause.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { INSTALLATION_GONE } from '../../domain/identity/installation.ts';
import { fullSandbox, MAX_SANDBOX_ENTRIES } from '../../domain/identity/sandbox.ts';
import type { NewEvent } from '../../domain/webhooks/event.ts';
import { isMetaobjectType, STALE_ENTRY, type Entry, type EntryCondition } from '../../domain/custom-data/metaobject.ts';
import { checkReferences, parseEntry, type EntryInput } from '../../domain/custom-data/metaobject-entry.ts';
import type { EntryPlace } from '../../domain/ports/custom-data/metaobject-repository.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

const eventOf = (storeId: string, entry: Entry, change: 'created' | 'updated'): NewEvent => {
  const { installationId: origin, createdAt: _createdAt, updatedAt: _updatedAt, ...data } = entry;
  return { storeId, type: `metaobject.${change}`, resourceId: entry.id, origin, data: { ...data, origin } };
};

/** Ends the transaction of a writer that found no entry, where another one has written it meanwhile. */
class WrittenMeanwhile extends Error {}

/**
 * Refuses an entry that the condition does not accept, and a new one where the store has no room for it. Otherwise true where
 * the condition was judged for an entry that does not exist.
 */
const judgePresent = async (tx: TransactionPorts, place: EntryPlace, accepts: EntryCondition | null) => {
  const room = await tx.sandboxRoom.forEntries(place.storeId);
  const isFull = room !== null && room <= 0;
  if (!accepts && !isFull) return ok(false);
  const present = await tx.metaobjects.lockEntry(place);
  if (accepts && !accepts(present)) return STALE_ENTRY;
  return present || !isFull ? ok(accepts !== null && present === null) : fullSandbox('entries', MAX_SANDBOX_ENTRIES);
};

/**
 * Creates or replaces the caller's entry, with its event. A write that changes nothing has no
 * event. With a condition, an entry is created or replaced only where the condition accepts what is there.
 */
export const putEntry =
  ({ ids, patterns, transaction }: Pick<Ports, 'ids' | 'patterns' | 'transaction'>) =>
  async (
    cause: Cause,
    caller: Caller,
    type: string,
    input: EntryInput,
    accepts: EntryCondition | null = null,
  ): Promise<Result<Entry, 'invalid' | 'unauthenticated' | 'not_found' | 'conflict' | 'precondition_failed'>> => {
    const { storeId, installationId } = caller;
    const unknown = notFound('Metaobject type');
    if (!isMetaobjectType(type)) return unknown;
    const put = transaction.run(cause, async (tx) => {
      // The app may hold its body back until after its uninstallation.
      if (!(await tx.installations.share(storeId, installationId))) return INSTALLATION_GONE;
      const definition = await tx.metaobjects.shareDefinition(storeId, type);
      if (!definition) return unknown;
      const parsed = parseEntry(definition, input, patterns);
      if (!parsed.ok) return parsed;
      const { handle, references, ...content } = parsed.value;
      const refusal = checkReferences(references, await tx.metaobjects.existing(caller, references));
      if (refusal) return refusal;
      const place = { storeId, installationId, type, handle };
      const mustBeNew = await judgePresent(tx, place, accepts);
      if (!mustBeNew.ok) return mustBeNew;
      const { entry, change } = await tx.metaobjects.putEntry(place, content, ids.next());
      // An entry that did not exist could not be locked.
      if (mustBeNew.value && change !== 'created') throw new WrittenMeanwhile();
      if (change !== 'unchanged') await tx.events.append([eventOf(storeId, entry, change)]);
      return ok(entry);
    });
    return put.catch((error: unknown) => {
      if (error instanceof WrittenMeanwhile) return STALE_ENTRY;
      throw error;
    });
  };
