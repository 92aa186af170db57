import type { Product } from '../../catalogue/product.ts';

export type ExportCursor = Pick<Product, 'createdAt' | 'id'>;

/** A variant with its options and its stock has about 1.4 KB. */
export const MAX_PAGE_VARIANTS = 1_000;

export interface ProductExporter {
  /**
   * Returns the store's live products with all of their parts, by createdAt, then id. Starts after
   * the cursor, or at the first product when the cursor is null. Returns at most `limit` products,
   * and none only at the end. Ends with the product that makes them `MAX_PAGE_VARIANTS` variants.
   */
  page(storeId: string, after: ExportCursor | null, limit: number): Promise<Product[]>;
}
