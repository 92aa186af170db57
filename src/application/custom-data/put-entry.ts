import type { Caller } from '../../domain/identity/caller.ts';
import type { NewEvent } from '../../domain/webhooks/event.ts';
import { isMetaobjectType } from '../../domain/custom-data/metaobject.ts';
import type { Entry } from '../../domain/custom-data/metaobject.ts';
import { missingReferences, validateEntry } from '../../domain/custom-data/metaobject-entry.ts';
import type { EntryInput } from '../../domain/custom-data/metaobject-entry.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

const eventOf = (storeId: string, entry: Entry, change: 'created' | 'updated'): NewEvent => {
  const { installationId: origin, createdAt: _createdAt, updatedAt: _updatedAt, ...data } = entry;
  return { storeId, type: `metaobject.${change}`, resourceId: entry.id, origin, data: { ...data, origin } };
};

/** Creates or replaces the whole entry of the caller's own installation, with its event; none when nothing changes. */
export const putEntry =
  ({ ids, patterns, transaction }: Pick<Ports, 'ids' | 'patterns' | 'transaction'>) =>
  async (caller: Caller, type: string, input: EntryInput): Promise<Result<Entry, 'invalid' | 'not_found'>> => {
    const { storeId, installationId } = caller;
    const unknown = notFound('Metaobject type');
    if (!isMetaobjectType(type)) return unknown;
    return transaction.run(async (tx) => {
      const definition = await tx.metaobjects.shareDefinition(storeId, type);
      if (!definition) return unknown;
      const checked = validateEntry(definition, input, patterns);
      if ('errors' in checked) return refuse('invalid', 'The entry is invalid.', checked.errors);
      const { handle, references, ...content } = checked.value;
      const missing = missingReferences(references, await tx.metaobjects.existing(caller, references));
      if (Object.keys(missing).length > 0) return refuse('invalid', 'The entry is invalid.', missing);
      const { entry, change } = await tx.metaobjects.putEntry({ storeId, installationId, type, handle }, content, ids.next());
      if (change !== 'unchanged') await tx.events.append([eventOf(storeId, entry, change)]);
      return ok(entry);
    });
  };
