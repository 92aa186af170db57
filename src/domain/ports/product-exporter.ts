import type { Product } from '../catalogue/product.ts';

export type ExportCursor = Pick<Product, 'createdAt' | 'id'>;

/** Reads a store's whole catalogue in steps of bounded size. */
export interface ProductExporter {
  /**
   * Live products of the store by createdAt, then id, whole. Begins behind the cursor, or with the first product where it is null.
   * At most `limit` are given, and fewer only at the end.
   */
  page(storeId: string, after: ExportCursor | null, limit: number): Promise<Product[]>;
}
