import type { Product } from '../../../src/domain/catalogue/product.ts';
import type { CategoryRepository } from '../../../src/domain/ports/catalogue/category-repository.ts';
import type { TransactionLocks } from '../locks.ts';
import { categoriesOf, liveProducts, productsOf } from './catalogue-tables.ts';
import type { MemoryState } from '../state.ts';

/** The product without the category. The same if it does not have it. */
const without = (product: Product, id: string): Product => {
  const productCategories = product.productCategories.filter(({ categoryId }) => categoryId !== id);
  const isSame = product.categoryId !== id && productCategories.length === product.productCategories.length;
  return isSame ? product : { ...product, categoryId: product.categoryId === id ? null : product.categoryId, productCategories };
};

export const categoryRepository = (state: MemoryState, locks: TransactionLocks): CategoryRepository => ({
  find: async (storeId, { ids, slugs, names }) => {
    const all = [...categoriesOf(state).values()].filter(({ tenantId }) => tenantId === storeId);
    const found = new Set(
      all.filter(({ id, slug, name }) => ids.includes(id) || (slug !== null && slugs.includes(slug)) || names.includes(name)),
    );
    // A set gives what is added during the walk: the ancestors, up to the root.
    for (const { parentId } of found) for (const parent of all) if (parent.id === parentId) found.add(parent);
    return all.filter((category) => found.has(category));
  },
  save: async (storeId, categories) => {
    for (const category of categories) categoriesOf(state).set(`${storeId}/${category.id}`, category);
  },
  lockUse: async (storeId, id) => {
    await locks.take(`category ${storeId}/${id}`);
    const categories = categoriesOf(state);
    if (!categories.has(`${storeId}/${id}`)) return null;
    return {
      hasProducts: liveProducts(state, storeId).some(
        (product) => product.categoryId === id || product.productCategories.some(({ categoryId }) => categoryId === id),
      ),
      hasChildren: [...categories.values()].some(({ tenantId, parentId }) => tenantId === storeId && parentId === id),
    };
  },
  detach: async (storeId, id, limit) => {
    const having = [...productsOf(state)].filter(
      ([, product]) => product.tenantId === storeId && product.isDeleted && without(product, id) !== product,
    );
    for (const [key, product] of having.slice(0, limit)) productsOf(state).set(key, without(product, id));
    return Math.min(having.length, limit);
  },
  remove: async (storeId, id) => {
    categoriesOf(state).delete(`${storeId}/${id}`);
    for (const [key, product] of productsOf(state))
      if (product.tenantId === storeId) productsOf(state).set(key, without(product, id));
  },
});
