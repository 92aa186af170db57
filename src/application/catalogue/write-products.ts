import { categoryEvent } from '../../domain/catalogue/category-event.ts';
import { changedFields } from '../../domain/catalogue/changed-fields.ts';
import { productEvents } from '../../domain/catalogue/product-events.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { Taxonomy } from '../../domain/catalogue/taxonomy.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import { withDataJson, type NewEvent } from '../../domain/webhooks/event.ts';

/** A public message for each product that was not written, by product id. */
type Failures = ReadonlyMap<string, string>;

/**
 * Writes products that the store does not have, each while the ones after it are decided. The JSON
 * of the events is made meanwhile too.
 */
export const insertProducts = async (tx: TransactionPorts, storeId: string, products: Iterable<Product>): Promise<Failures> => {
  const events = new Map<string, NewEvent[]>();
  const noting = function* (): Generator<Product, void> {
    for (const product of products) {
      events.set(product.id, productEvents(null, product).map(withDataJson));
      yield product;
    }
  };
  const failures = await tx.products.insert(storeId, noting());
  for (const id of failures.keys()) events.delete(id);
  await tx.events.append([...events.values()].flat());
  return failures;
};

interface Stored {
  readonly storeId: string;
  readonly before: ReadonlyMap<string, Product>;
  readonly taxonomy: Taxonomy;
}

export const replaceProducts = async (
  tx: TransactionPorts,
  products: readonly Product[],
  { storeId, before, taxonomy }: Stored,
): Promise<Failures> => {
  const written = products.filter((product) => {
    const stored = before.get(product.id);
    return !stored || changedFields(stored, product).length > 0;
  });
  const { categories, taxClasses } = taxonomy.newOf(written);
  await tx.categories.save(storeId, categories);
  await tx.taxClasses.save(storeId, taxClasses);
  const failures = await tx.products.save(storeId, written);
  const saved = written.filter(({ id }) => !failures.has(id));
  const made = categories.flatMap((category) => categoryEvent(null, category) ?? []);
  await tx.events.append([...made, ...saved.flatMap((product) => productEvents(before.get(product.id) ?? null, product))]);
  return failures;
};
