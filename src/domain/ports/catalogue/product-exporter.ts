import type { Product } from '../../catalogue/product.ts';

export type ExportCursor = Pick<Product, 'createdAt' | 'id'>;

export interface ProductExporter {
  /**
   * Returns the store's live products with all of their parts, by createdAt, then id. Starts after
   * the cursor, or at the first product when the cursor is null. Returns `limit` products, and
   * fewer only at the end.
   */
  page(storeId: string, after: ExportCursor | null, limit: number): Promise<Product[]>;
}
