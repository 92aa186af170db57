import type { Ports } from '../../domain/ports/index.ts';
import type { Category, CategoryDocument, Product, ProductDocument } from '../../domain/catalogue/product.ts';

/** Products in memory at once. A large one has some hundred kilobytes. */
const PAGE = 50;

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

/**
 * A store's live products as documents for the import of this or another store, by createdAt and
 * id. They are read in pages, so memory is bounded, and each product is as it was when its page was
 * read.
 */
export const exportProducts = ({ productExporter, transaction }: Pick<Ports, 'productExporter' | 'transaction'>) =>
  async function* (storeId: string): AsyncGenerator<ProductDocument> {
    for (let page = await productExporter.page(storeId, null, PAGE); page.length > 0;) {
      const ids = page.flatMap((product) =>
        [product.categoryId ?? [], ...product.productCategories.map(({ categoryId }) => categoryId)].flat(),
      );
      const found = await transaction.run(null, (tx) =>
        tx.categories.find(storeId, { ids: [...new Set(ids)], slugs: [], names: [] }),
      );
      const categories = new Map(found.map((category) => [category.id, category]));
      for (const product of page) yield toDocument(product, categories);
      const last = page.at(-1);
      page = last && page.length === PAGE ? await productExporter.page(storeId, last, PAGE) : [];
    }
  };
