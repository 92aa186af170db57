import type { Category } from '../../catalogue/product.ts';

export interface CategoryRepository {
  /**
   * Returns the categories of the store with one of these ids, slugs or names. Also returns all of
   * their ancestors.
   */
  find(storeId: string, by: { ids: readonly string[]; slugs: readonly string[]; names: readonly string[] }): Promise<Category[]>;
  /** Inserts or replaces the categories. A parent comes before its children. */
  save(storeId: string, categories: readonly Category[]): Promise<void>;
}
