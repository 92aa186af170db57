import type { Collection, CollectionDocument } from '../domain/collection.ts';
import { same } from '../domain/element.ts';
import type { Ports } from '../domain/ports/index.ts';
import { ok, refuse } from '../domain/result.ts';
import type { Result } from '../domain/result.ts';
import { normaliseSlug } from '../domain/slug.ts';
import { isoTime } from '../domain/time.ts';

/** Makes the collection what the document says, whole: its products in this order, all of them live ones of the store. */
export const putCollection =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    storeId: string,
    id: string,
    document: CollectionDocument,
  ): Promise<Result<Collection, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return refuse('not_found', 'no such store');
    const handle = document.handle == null ? null : normaliseSlug(document.handle);
    if (document.handle != null && handle === null)
      return refuse('invalid', 'handle: has no letter or digit that a handle can hold');
    const { title, productIds } = document;
    const repeated =
      productIds.length === new Set(productIds).size ? [] : productIds.filter((one, at) => productIds.indexOf(one) !== at);
    if (repeated.length > 0) return refuse('invalid', `productIds: repeated: ${[...new Set(repeated)].join(', ')}`);
    return transaction.run(async ({ products, collections, events }) => {
      await products.lockCatalogue(storeId);
      const missing = await collections.missing(storeId, productIds);
      if (missing.length > 0) return refuse('invalid', `productIds: no live products of this store: ${missing.join(', ')}`);
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
