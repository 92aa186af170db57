import type { Collection, CollectionDocument } from '../../domain/catalogue/collection.ts';
import { belongsTo } from '../../domain/catalogue/owner-texts.ts';
import { parseSlug } from '../../domain/catalogue/slug.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { isEqual } from '../../domain/values/equal.ts';
import { MAX_FAULTS } from '../../domain/values/fault-list.ts';

/** The first ids that appear more than once. */
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

/** The collection of a document, as far as it can be judged without the store. */
const parseCollection = (id: string, { title, handle, productIds }: CollectionDocument): Result<Collection, 'invalid'> => {
  const parsed = handle == null ? ok(null) : parseSlug(handle, 'handle');
  if (!parsed.ok) return refuse('invalid', parsed.message);
  const repeated = firstRepeated(productIds);
  if (repeated.length > 0) return refuse('invalid', `productIds has these ids more than once: ${repeated.join(', ')}.`);
  return ok({ id, title, handle: parsed.value, productIds });
};

/** Creates or replaces the collection. All its products must be live products of the store. */
export const putCollection =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    storeId: string,
    id: string,
    document: CollectionDocument,
  ): Promise<Result<Collection, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const parsed = parseCollection(id, document);
    if (!parsed.ok) return parsed;
    const collection = parsed.value;
    const { handle, productIds } = collection;
    return transaction.run(async ({ products, collections, events }) => {
      await products.lockCatalogue(storeId);
      const missing = await collections.missing(storeId, productIds);
      if (missing.length > 0) {
        const ids = missing.slice(0, MAX_FAULTS).join(', ');
        return refuse('invalid', `productIds has ids that are not live products of this store: ${ids}.`);
      }
      if (handle !== null) {
        const holder = await collections.idByHandle(storeId, handle);
        if (holder !== null && holder !== id) return refuse('conflict', belongsTo('handle', handle, `collection ${holder}`));
      }
      const current = await collections.get(storeId, id);
      if (isEqual(current, collection)) return ok(collection);
      await collections.save(storeId, collection, isoTime(clock.now()));
      const type = current ? 'collection.updated' : 'collection.created';
      await events.append([{ storeId, type, resourceId: id, origin: null, data: { ...collection, origin: null } }]);
      return ok(collection);
    });
  };
