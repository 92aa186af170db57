import type { Collection, CollectionDocument } from '../../domain/catalogue/collection.ts';
import { same } from '../../domain/catalogue/element.ts';
import { MAX_FAULTS } from '../../domain/values/fault-list.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { MAX_SLUG_LENGTH, normaliseSlug } from '../../domain/catalogue/slug.ts';
import { isoTime } from '../../domain/time.ts';

/** The first ids that the list has more than once. */
const firstRepeated = (ids: readonly string[]): string[] => {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) repeated.add(id);
    if (repeated.size >= MAX_FAULTS) break;
    seen.add(id);
  }
  return [...repeated];
};

/** Makes the collection what the document says, whole: its products in this order, all of them live ones of the store. */
export const putCollection =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    storeId: string,
    id: string,
    document: CollectionDocument,
  ): Promise<Result<Collection, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const handle = document.handle == null ? null : normaliseSlug(document.handle);
    if (document.handle != null && handle === null)
      return refuse('invalid', 'handle: has no letter or digit that a handle can hold');
    if (handle !== null && handle.length > MAX_SLUG_LENGTH)
      return refuse('invalid', `handle: more than ${String(MAX_SLUG_LENGTH)} characters`);
    const { title, productIds } = document;
    const repeated = firstRepeated(productIds);
    if (repeated.length > 0) return refuse('invalid', `productIds: repeated: ${repeated.join(', ')}`);
    return transaction.run(async ({ products, collections, events }) => {
      await products.lockCatalogue(storeId);
      const missing = await collections.missing(storeId, productIds);
      if (missing.length > 0)
        return refuse('invalid', `productIds: no live products of this store: ${missing.slice(0, MAX_FAULTS).join(', ')}`);
      const holder = handle === null ? null : await collections.idByHandle(storeId, handle);
      if (holder !== null && holder !== id) return refuse('conflict', `handle: taken by collection ${holder}`);
      const current = await collections.get(storeId, id);
      const collection: Collection = { id, title, handle, productIds };
      if (same(current, collection)) return ok(collection);
      await collections.save(storeId, collection, isoTime(clock.now()));
      const type = current ? 'collection.updated' : 'collection.created';
      await events.append([{ storeId, type, resourceId: id, origin: null, data: { ...collection, origin: null } }]);
      return ok(collection);
    });
  };
