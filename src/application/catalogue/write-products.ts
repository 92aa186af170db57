import { changedFields, productEvents } from '../../domain/catalogue/product-events.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { categoryEvents, taxClassEvents } from '../../domain/catalogue/taxonomy-events.ts';
import type { Taxonomy } from '../../domain/catalogue/taxonomy.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import { withDataJson, type NewEvent } from '../../domain/webhooks/event.ts';

/** A public message for each product that was not written, by product id. */
type Failures = ReadonlyMap<string, string>;

/**
 * Writes products that the store does not have, each while the ones after it are decided. The JSON
 * of the events is made meanwhile too.
 */
const insertProducts = async (tx: TransactionPorts, storeId: string, products: Iterable<Product>): Promise<Failures> => {
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

interface StoredProducts {
  readonly storeId: string;
  readonly before: ReadonlyMap<string, Product>;
  readonly taxonomy: Taxonomy;
}

/** Returns the products that the store lacks or has in another form. */
const changedOf = (products: readonly Product[], before: ReadonlyMap<string, Product>): Product[] =>
  products.filter((product) => {
    const stored = before.get(product.id);
    return !stored || changedFields(stored, product).length > 0;
  });

const replaceProducts = async (
  tx: TransactionPorts,
  changed: readonly Product[],
  { storeId, before, taxonomy }: StoredProducts,
): Promise<Failures> => {
  const { categories, taxClasses } = taxonomy.newOf(changed);
  await tx.categories.save(storeId, categories);
  await tx.taxClasses.save(storeId, taxClasses);
  const failures = await tx.products.save(storeId, changed);
  const saved = changed.filter(({ id }) => !failures.has(id));
  const made = [
    ...categories.flatMap((category) => categoryEvents(null, category)),
    ...taxClasses.flatMap((taxClass) => taxClassEvents(null, taxClass)),
  ];
  await tx.events.append([...made, ...saved.flatMap((product) => productEvents(before.get(product.id) ?? null, product))]);
  return failures;
};

/** Keeps the last decision for each product. */
const lastOf = (decided: Iterable<Product>): Product[] => [
  ...new Map(Array.from(decided, (product) => [product.id, product])).values(),
];

interface Write extends StoredProducts {
  /** True for products that are not stored, nor is anything that they would make: they need no comparison. */
  readonly areNew: boolean;
  readonly isDryRun: boolean;
}

/** Returns what has changed; null where all are new. */
export const writeDecided = async (tx: TransactionPorts, decided: Iterable<Product>, { areNew, isDryRun, ...stored }: Write) => {
  // Each is written while the next ones are decided. No document changes it again: a product appears only once in a file.
  if (areNew) return { changed: null, failures: await insertProducts(tx, stored.storeId, decided) };
  const changed = changedOf(lastOf(decided), stored.before);
  return { changed, failures: isDryRun ? new Map<string, string>() : await replaceProducts(tx, changed, stored) };
};
