import type { BulkProduct, BulkWrite } from '../../../src/domain/catalogue/bulk-product.ts';
import type { BulkProductRepository } from '../../../src/domain/ports/catalogue/bulk-product-repository.ts';
import type { Category, Product } from '../../../src/domain/catalogue/product.ts';
import { slugFamily } from '../../../src/domain/catalogue/slug.ts';
import { lockProducts } from './catalogue-tables.ts';
import type { TransactionLocks } from '../locks.ts';
import { table, type MemoryState } from '../state.ts';

const bulkView = (product: Product): BulkProduct => ({
  id: product.id,
  name: product.name,
  slug: product.slug,
  metaTitle: product.metaTitle,
  metaDescription: product.metaDescription,
  categoryId: product.categoryId,
  status: product.status,
  publishedAt: product.publishedAt,
  variantCount: product.variants.filter((variant) => variant.deletedAt === null).length,
});

/** The keys of products and categories are `storeId/id`. */
export const bulkProductRepository = (state: MemoryState, locks: TransactionLocks): BulkProductRepository => {
  const products = (): Map<string, Product> => table<Product>(state, 'products');
  const live = (storeId: string): Product[] =>
    [...products().values()].filter((product) => product.tenantId === storeId && product.deletedAt === null);
  const write = (storeId: string, { before, after }: BulkWrite, now: string): void => {
    const product = products().get(`${storeId}/${after.id}`);
    if (!product) throw new Error(`product ${after.id} was not locked`);
    const { variantCount, ...fields } = after;
    products().set(`${storeId}/${after.id}`, { ...product, ...fields, updatedAt: now });
    const history = table<string>(state, 'slug_history');
    if (after.slug !== before.slug && before.slug !== null) history.set(`${storeId}/${before.slug}`, after.id);
  };
  return {
    lock: async (storeId, ids) => {
      await lockProducts(locks, storeId, ids);
      return live(storeId)
        .filter((product) => ids.includes(product.id))
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .map(bulkView);
    },
    claimSlugs: async (storeId, { slugs, bases }) => {
      const families = new Set(bases.map(slugFamily));
      for (const family of [...new Set([...slugs.map(slugFamily), ...families])].sort())
        await locks.take(`slugs ${storeId}/${family}`);
      const holders = live(storeId).flatMap(({ slug, id }) =>
        slug !== null && (slugs.includes(slug) || families.has(slugFamily(slug))) ? [[slug, id] as const] : [],
      );
      return new Map(holders);
    },
    categories: async (storeId, ids) => {
      for (const id of [...ids].sort()) await locks.take(`category ${storeId}/${id}`, 'shared');
      const categories = table<Category>(state, 'categories');
      return new Set(ids.filter((id) => categories.get(`${storeId}/${id}`)?.deletedAt === null));
    },
    update: async (storeId, writes, now) => {
      for (const change of writes) write(storeId, change, now);
      const history = table<string>(state, 'slug_history');
      for (const { after } of writes) if (after.slug !== null) history.delete(`${storeId}/${after.slug}`);
    },
  };
};
