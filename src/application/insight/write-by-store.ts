import { byStore } from '../../domain/store-key.ts';

/** Failures tolerated before the database counts as unavailable. A single failing store may only be locked. */
const MAX_FAILED_STORES = 3;

export interface StoreWrites<Row> {
  readonly write: (own: readonly Row[]) => Promise<void>;
  /** Gets the rows of each store that was not written, and why. */
  readonly onFailed: (own: readonly Row[], error: unknown) => void;
}

/** Writes the rows of each store on their own: a store that fails loses nothing of the others. Throws the first failure at the end. */
export const writeByStore = async <Row extends { readonly storeId: string | null }>(
  rows: Iterable<Row>,
  { write, onFailed }: StoreWrites<Row>,
): Promise<void> => {
  const failures: unknown[] = [];
  for (const own of byStore(rows).values()) {
    try {
      if (failures.length >= MAX_FAILED_STORES) onFailed(own, failures[0]);
      else await write(own);
    } catch (error) {
      failures.push(error);
      onFailed(own, error);
    }
  }
  if (failures.length > 0) throw failures[0];
};
