import type { Category } from '../../catalogue/product.ts';

/** References to a category. Deleted products do not count. */
export interface CategoryUse {
  readonly hasProducts: boolean;
  readonly hasChildren: boolean;
}

export interface CategoryRepository {
  /**
   * Returns the categories of the store with one of these ids, slugs or names. Also returns all of
   * their ancestors.
   */
  find(storeId: string, by: { ids: readonly string[]; slugs: readonly string[]; names: readonly string[] }): Promise<Category[]>;
  /** Inserts or replaces the categories. A parent comes before its children. */
  save(storeId: string, categories: readonly Category[]): Promise<void>;
  /**
   * Returns what refers to the category. Returns null when the store has no such category. Keeps
   * others from choosing it until the transaction ends.
   */
  lockUse(storeId: string, id: string): Promise<CategoryUse | null>;
  /** Takes the category from at most `limit` deleted products, and returns how many. */
  detach(storeId: string, id: string, limit: number): Promise<number>;
  /** Deletes the category, to which nothing refers. Deleted products lose it. */
  remove(storeId: string, id: string): Promise<void>;
}
