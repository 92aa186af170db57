import type { Ports } from '../../domain/ports/index.ts';
import type { Category, CategoryDocument, Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { productPages } from './product-pages.ts';

/** The categories by id. None has the id null. */
type Categories = ReadonlyMap<string | null, Category>;

/** The category with its parents, so that an import can make it in another store. */
const withParents = (id: string | null, categories: Categories): CategoryDocument | null => {
  const category = categories.get(id);
  return category ? { ...category, parent: withParents(category.parentId, categories) } : null;
};

const toDocument = (product: Product, categories: Categories): ProductDocument => ({
  ...product,
  category: withParents(product.categoryId, categories),
  productCategories: product.productCategories.map((link) => ({ ...link, category: withParents(link.categoryId, categories) })),
});

/** A store's live products as documents for the import of this or another store, in pages. */
export const exportProducts = (ports: Pick<Ports, 'productExporter' | 'transaction'>) => {
  const pages = productPages(ports);
  return async function* (storeId: string): AsyncGenerator<ProductDocument[]> {
    for await (const page of pages(storeId)) {
      const ids = page.flatMap((product) =>
        [product.categoryId ?? [], ...product.productCategories.map(({ categoryId }) => categoryId)].flat(),
      );
      const found = await ports.transaction.run(null, (tx) =>
        tx.categories.find(storeId, { ids: [...new Set(ids)], slugs: [], names: [] }),
      );
      const categories = new Map(found.map((category) => [category.id, category]));
      yield page.map((product) => toDocument(product, categories));
    }
  };
};
