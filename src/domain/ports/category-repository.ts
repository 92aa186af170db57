import type { Category } from '../catalogue/product.ts';

export interface CategoryRepository {
  /** All categories of the store that have one of these ids, slugs or names, with all of their ancestors. */
  find(storeId: string, by: { ids: readonly string[]; slugs: readonly string[]; names: readonly string[] }): Promise<Category[]>;
  /** Inserts or replaces categories; one that is another's parent comes first. */
  save(storeId: string, categories: readonly Category[]): Promise<void>;
}
