import type { Collection, Category, Product, TaxClass } from '../../../src/domain/catalogue/product.ts';
import type { TransactionLocks } from '../locks.ts';
import { table, type MemoryState } from '../state.ts';

/** The keys of these tables are `storeId/id`. */
export const productsOf = (state: MemoryState): Map<string, Product> => table<Product>(state, 'products');
export const categoriesOf = (state: MemoryState): Map<string, Category> => table<Category>(state, 'categories');
export const taxClassesOf = (state: MemoryState): Map<string, TaxClass> => table<TaxClass>(state, 'tax_classes');
export const collectionsOf = (state: MemoryState): Map<string, Collection> => table<Collection>(state, 'collections');

export const liveProducts = (state: MemoryState, storeId: string): Product[] =>
  [...productsOf(state).values()].filter((product) => product.tenantId === storeId && product.deletedAt === null);

export const whole = (state: MemoryState, product: Product): Product => ({
  ...product,
  category: categoriesOf(state).get(`${product.tenantId}/${product.categoryId ?? ''}`) ?? null,
  taxClass: taxClassesOf(state).get(`${product.tenantId}/${product.taxClassId ?? ''}`) ?? null,
});

/** Locks products in the order of their ids, as everything that locks several does. */
export const lockProducts = async (locks: TransactionLocks, storeId: string, ids: readonly string[]): Promise<void> => {
  for (const id of [...ids].sort()) await locks.take(`product ${storeId}/${id}`);
};
