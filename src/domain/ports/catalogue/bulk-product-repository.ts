import type { SlugClaims, BulkProduct, BulkWrite } from '../../catalogue/bulk-product.ts';

/** Bulk updates that lock the same products and slugs never deadlock. */
export interface BulkProductRepository {
  /**
   * Returns the store's live products with these ids, by id. Keeps other transactions from locking
   * them until this one ends. Returns them as the transaction before left them.
   */
  lock(storeId: string, ids: readonly string[]): Promise<BulkProduct[]>;
  /**
   * Returns the id of the live product that holds each claimed slug. Also returns the holder of
   * each slug that a derivation from a base could give. Keeps other transactions from claiming any
   * of these slugs until this one ends.
   */
  claimSlugs(storeId: string, claims: SlugClaims): Promise<Map<string, string>>;
  /** Returns those of the ids that are live categories of the store. */
  categories(storeId: string, ids: readonly string[]): Promise<Set<string>>;
  /**
   * Writes the changed fields of the locked products. Sets updatedAt to `now`, which is in ISO
   * 8601. Changes no product of another store. Adds a slug that a product gives up to the slug
   * history. Removes a slug that a product takes from the slug history. Two products can exchange
   * their slugs in one update.
   */
  update(storeId: string, writes: readonly BulkWrite[], now: string): Promise<void>;
}
