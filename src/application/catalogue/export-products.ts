import type { Product, Category, CategoryDocument, ProductDocument } from '../../domain/catalogue/product.ts';
import type { ExportCursor } from '../../domain/ports/catalogue/product-exporter.ts';
import type { Ports } from '../../domain/ports/index.ts';

/** Products in memory at once. Large ones come in shorter pages. */
const PAGE = 50;

export interface PageReading {
  readonly after?: ExportCursor | null;
  readonly limit?: number | undefined;
}

/**
 * A store's live products as their details show them, by createdAt and id, after a place. They are
 * read in pages, each as it is when its page is read, so no transaction and no connection waits for
 * the reader.
 */
export const productPages = ({ productExporter }: Pick<Ports, 'productExporter'>) =>
  async function* (storeId: string, { after = null, limit = Infinity }: PageReading = {}): AsyncGenerator<Product[]> {
    let place = after;
    for (let left = limit; left > 0;) {
      const page = await productExporter.page(storeId, place, Math.min(PAGE, left));
      if (page.length === 0) return;
      yield page;
      place = page.at(-1) ?? place;
      left -= page.length;
    }
  };

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
