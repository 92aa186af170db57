import type { Cause } from '../../domain/cause.ts';
import { checkHandle, checkProducts, parseCollection } from '../../domain/catalogue/collection-checks.ts';
import type { Collection, CollectionDocument } from '../../domain/catalogue/product.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { isEqual } from '../../domain/values/equal.ts';

/** Creates or replaces the collection. All its products must be live products of the store. */
export const putCollection =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    cause: Cause,
    storeId: string,
    id: string,
    document: CollectionDocument,
  ): Promise<Result<Collection, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const parsed = parseCollection(id, document);
    if (!parsed.ok) return parsed;
    const collection = parsed.value;
    const { handle, productIds } = collection;
    return transaction.run(cause, async ({ products, collections, events }) => {
      await products.lockCatalogue(storeId);
      const holder = handle === null ? null : await collections.idByHandle(storeId, handle);
      const refusal = checkProducts(await collections.missing(storeId, productIds)) ?? checkHandle(collection, holder);
      if (refusal) return refusal;
      const current = await collections.get(storeId, id);
      if (isEqual(current, collection)) return ok(collection);
      await collections.save(storeId, collection, isoTime(clock.now()));
      const type = current ? 'collection.updated' : 'collection.created';
      await events.append([{ storeId, type, resourceId: id, origin: null, data: { ...collection, origin: null } }]);
      return ok(collection);
    });
  };
