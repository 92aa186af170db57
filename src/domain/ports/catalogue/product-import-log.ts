import type { ImportOutcome, ImportRecord, ImportSource } from '../../catalogue/import-record.ts';
import type { ImportCounts } from '../../catalogue/product-import.ts';
import type { Place } from '../../place.ts';

export interface ImportKey {
  readonly storeId: string;
  readonly id: string;
}

export interface ProductImportLog {
  /** Records that an import begins now. Records nothing twice. Records nothing of a store that does not exist. */
  begin(key: ImportKey, source: ImportSource): Promise<void>;
  /** Notes what the import has done so far. Begins one again that was given up. */
  see(key: ImportKey, counts: ImportCounts): Promise<void>;
  /** Records how the import has ended now, also of one that was given up. */
  end(key: ImportKey, outcome: ImportOutcome): Promise<void>;
  /**
   * Returns at most `take` imports of the store, newest first, from behind the place. Returns null when the store does not
   * exist.
   */
  list(storeId: string, from: { readonly after: Place | null; readonly take: number }): Promise<readonly ImportRecord[] | null>;
  /**
   * Ends at most `limit` imports that were not seen for `seconds`, as broken off when they were seen last. Returns how many.
   */
  giveUp(seconds: number, limit: number): Promise<number>;
  /** Deletes at most `limit` imports that ended more than `days` days ago, and returns how many. */
  purge(days: number, limit: number): Promise<number>;
}
