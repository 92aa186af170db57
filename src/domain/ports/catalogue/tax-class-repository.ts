import type { TaxClass } from '../../catalogue/product.ts';

export interface TaxClassRepository {
  /** Returns the tax classes of the store with one of these ids, codes or names. */
  find(storeId: string, by: { ids: readonly string[]; codes: readonly string[]; names: readonly string[] }): Promise<TaxClass[]>;
  /** Inserts or replaces the tax classes. */
  save(storeId: string, taxClasses: readonly TaxClass[]): Promise<void>;
}
