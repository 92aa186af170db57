import type { SlugClaims } from '../catalogue/bulk-claims.ts';
import type { BulkProduct, BulkWrite } from '../catalogue/bulk-update.ts';

/** Bound to a transaction. Locks are taken in one order everywhere, products by id and then slug families, so that bulk updates never deadlock. */
export interface BulkProductRepository {
  /** Locks the store's live products among the ids until the transaction ends and returns them as they are then. */
  lock(storeId: string, ids: readonly string[]): Promise<BulkProduct[]>;
  /** Keeps other transactions from claiming these slugs, or any that a derivation from the bases could give, until this one ends; returns who holds which of them now, as slug to product id. */
  claimSlugs(storeId: string, claims: SlugClaims): Promise<Map<string, string>>;
  /** Those of the ids that are categories of the store. */
  categories(storeId: string, ids: readonly string[]): Promise<Set<string>>;
  /** Writes what changed of the locked products, in one statement. A slug given up goes to the history; one claimed leaves it. `now` is ISO 8601 and becomes updatedAt. */
  update(storeId: string, writes: readonly BulkWrite[], now: string): Promise<void>;
}
