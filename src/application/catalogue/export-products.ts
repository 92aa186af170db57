import type { Ports } from '../../domain/ports/index.ts';
import type { Category, CategoryDocument, Product, ProductDocument } from '../../domain/catalogue/product.ts';

/** Products held at once; a large one is some hundred kilobytes. */
const PAGE = 50;

/** The category with its chain of parents: what is needed to make it again in another store. */
const withParents = (id: string, categories: ReadonlyMap<string, Category>): CategoryDocument | null => {
  const category = categories.get(id);
  if (!category) return null;
  return { ...category, parent: category.parentId === null ? null : withParents(category.parentId, categories) };
};

const toDocument = (product: Product, categories: ReadonlyMap<string, Category>): ProductDocument => ({
  ...product,
  category: product.categoryId === null ? null : withParents(product.categoryId, categories),
  productCategories: product.productCategories.map((link) => ({ ...link, category: withParents(link.categoryId, categories) })),
});

/**
 * A store's live products as documents that the import takes, here or in another store, by createdAt and id. Read page by page: memory is
 * bounded, and a product that is changed meanwhile is told as it stands when its page is read.
 */
export const exportProducts = ({ productExporter, transaction }: Pick<Ports, 'productExporter' | 'transaction'>) =>
  async function* (storeId: string): AsyncGenerator<ProductDocument> {
    for (let page = await productExporter.page(storeId, null, PAGE); page.length > 0;) {
      const ids = page.flatMap((product) =>
        [product.categoryId ?? [], ...product.productCategories.map(({ categoryId }) => categoryId)].flat(),
      );
      const found = await transaction.run((tx) => tx.categories.find(storeId, { ids: [...new Set(ids)], slugs: [], names: [] }));
      const categories = new Map(found.map((category) => [category.id, category]));
      for (const product of page) yield toDocument(product, categories);
      const last = page.at(-1);
      page = last && page.length === PAGE ? await productExporter.page(storeId, last, PAGE) : [];
    }
  };
