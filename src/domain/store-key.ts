import { grouped } from './values/grouped.ts';

declare const ofStore: unique symbol;

/**
 * The key of what belongs to one store, in memory that the requests of all stores share. Two stores
 * may have the same product ids in the same revisions, so only a key with the store in it is right.
 * Such memory takes no other key (test/architecture/shared-memory.test.ts).
 */
export type StoreKey = string & { readonly [ofStore]: true };

/** `part` names what is meant within the store. The id of every store has the same length. */
export const storeKey = (storeId: string, part = ''): StoreKey => (storeId + part) as StoreKey;

/** The rows of each store, in their order: a statement is about one store. */
export const byStore = <Row extends { readonly storeId: string | null }>(
  rows: Iterable<Row>,
): ReadonlyMap<Row['storeId'], readonly Row[]> => grouped(rows, ({ storeId }): Row['storeId'] => storeId);
