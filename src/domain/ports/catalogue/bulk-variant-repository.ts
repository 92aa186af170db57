import type { BulkVariant, VariantNames, VariantWrite } from '../../catalogue/bulk-variant.ts';

/**
 * Updates that lock the same variants never deadlock. An update that locks the product of a variant
 * waits for the one that has locked the variant.
 */
export interface BulkVariantRepository {
  /**
   * Returns the store's live variants with one of these ids or SKUs, by id, with their live stock.
   * Of each SKU, the first two by id: more are neither returned nor locked.
   * Keeps other transactions from locking them until this one ends. Returns them as the transaction
   * before left them.
   */
  lock(storeId: string, names: VariantNames): Promise<BulkVariant[]>;
  /**
   * Writes the prices and the stock of the locked variants. Sets updatedAt of the product, and of the
   * variant or the stock that changed itself, to `now`, which is in ISO 8601. Keeps the figures of the product list
   * true. Adds stock to a warehouse that did not have the variant. Changes no variant of another store.
   */
  update(storeId: string, writes: readonly VariantWrite[], now: string): Promise<void>;
}
