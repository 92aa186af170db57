import { checkHandle, checkProducts, parseCollection } from '../../domain/catalogue/collection-checks.ts';
import type { Alone } from '../../domain/fields/record.ts';
import { CATEGORY, TAX_CLASS } from '../../domain/catalogue/fields/taxonomy-fields.ts';
import { putRecord } from '../../domain/catalogue/new-record.ts';
import type { Standard, Category, Collection, CollectionDocument, TaxClass } from '../../domain/catalogue/product.ts';
import { parseSlug } from '../../domain/catalogue/slug.ts';
import { checkCategoryUse, checkCategory, checkTaxClass } from '../../domain/catalogue/taxonomy-checks.ts';
import { type EventsOf, categoryEvents, taxClassEvents } from '../../domain/catalogue/taxonomy-events.ts';
import type { Cause } from '../../domain/cause.ts';
import type { TransactionPorts, Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Refusal, type Result, refuse } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { isEqual } from '../../domain/values/equal.ts';

interface Saving<T> extends Pick<TransactionPorts, 'events'> {
  readonly records: { save(storeId: string, records: readonly T[]): Promise<void> };
  readonly eventsOf: EventsOf<T>;
}

/** Saves the record in place of the known one of its id, with its event. One that changes nothing stays as it is known. */
const saveWithEvent = async <T extends Standard>(
  record: T,
  known: readonly T[],
  { events, records, eventsOf }: Saving<T>,
): Promise<T> => {
  const current = known.find(({ id }) => id === record.id) ?? null;
  const made = eventsOf(current, record);
  if (current && made.length === 0) return current;
  await records.save(record.tenantId, [record]);
  await events.append(made);
  return record;
};

/** The merchant's other writes wait for the last transaction, so it has little to do. */
const DETACHED_AT_ONCE = 1_000;

/**
 * Deletes a category to which nothing refers, with its event. Deleted products lose it before: there may be
 * any number of them.
 */
export const deleteCategory =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  async (cause: Cause, storeId: string, id: string): Promise<Result<null, 'not_found' | 'conflict'>> => {
    const refusalOf = async ({ categories }: TransactionPorts): Promise<Refusal<'not_found' | 'conflict'> | null> => {
      const use = await categories.lockUse(storeId, id);
      return use ? checkCategoryUse(use) : notFound('Category');
    };
    const detach = ({ categories }: TransactionPorts) => categories.detach(storeId, id, DETACHED_AT_ONCE);
    const refusal = await transaction.run(cause, refusalOf);
    if (refusal) return refusal;
    while ((await transaction.run(cause, detach)) === DETACHED_AT_ONCE);
    return transaction.run(cause, async (tx) => {
      await tx.products.lockCatalogue(storeId);
      const refused = await refusalOf(tx);
      if (refused) return refused;
      await tx.categories.remove(storeId, id);
      await tx.events.append([{ storeId, type: 'category.deleted', resourceId: id, origin: null, data: { id, origin: null } }]);
      return ok(null);
    });
  };

export const deleteCollection =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  async (cause: Cause, storeId: string, id: string): Promise<Result<null, 'not_found'>> =>
    transaction.run(cause, async ({ products, collections, events }) => {
      await products.lockCatalogue(storeId);
      if (!(await collections.get(storeId, id))) return notFound('Collection');
      await collections.remove(storeId, id);
      await events.append([{ storeId, type: 'collection.deleted', resourceId: id, origin: null, data: { id, origin: null } }]);
      return ok(null);
    });

export type CategoryInput = Alone<typeof CATEGORY>;

/** Creates or replaces the category, with its event. A write that changes nothing has no event. */
export const putCategory =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    cause: Cause,
    storeId: string,
    id: string,
    input: CategoryInput,
  ): Promise<Result<Category, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const parsed = input.slug ? parseSlug(input.slug) : ok(null);
    if (!parsed.ok) return refuse('invalid', parsed.message);
    const { parentId = null } = input;
    const slug = parsed.value;
    return transaction.run(cause, async ({ products, categories, events }) => {
      await products.lockCatalogue(storeId);
      const ids = parentId === null ? [id] : [id, parentId];
      const known = await categories.find(storeId, { ids, slugs: slug === null ? [] : [slug], names: [] });
      const refusal = checkCategory({ id, slug, parentId }, known);
      if (refusal) return refusal;
      const place = { id, storeId, known, now: isoTime(clock.now()) };
      const category = putRecord<Category, CategoryInput>(CATEGORY, place, input, { slug: () => slug });
      return ok(await saveWithEvent(category, known, { events, records: categories, eventsOf: categoryEvents }));
    });
  };

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

export type TaxClassInput = Alone<typeof TAX_CLASS>;

/** Creates or replaces the tax class, with its event. A write that changes nothing has no event. */
export const putTaxClass =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    cause: Cause,
    storeId: string,
    id: string,
    input: TaxClassInput,
  ): Promise<Result<TaxClass, 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const { code } = input;
    return transaction.run(cause, async ({ products, taxClasses, events }) => {
      await products.lockCatalogue(storeId);
      const known = await taxClasses.find(storeId, { ids: [id], codes: [code], names: [] });
      const refusal = checkTaxClass({ id, code }, known);
      if (refusal) return refusal;
      const place = { id, storeId, known, now: isoTime(clock.now()) };
      const taxClass = putRecord<TaxClass, TaxClassInput>(TAX_CLASS, place, input, {});
      return ok(await saveWithEvent(taxClass, known, { events, records: taxClasses, eventsOf: taxClassEvents }));
    });
  };

export const taxonomyUses = (ports: Ports) => ({
  deleteCategory: deleteCategory(ports),
  deleteCollection: deleteCollection(ports),
  putCategory: putCategory(ports),
  putCollection: putCollection(ports),
  putTaxClass: putTaxClass(ports),
});
