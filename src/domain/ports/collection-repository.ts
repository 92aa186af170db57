import type { Collection } from '../catalogue/collection.ts';

export interface CollectionRepository {
  /** The collection, whole; null when the store has none of this id. */
  get(storeId: string, id: string): Promise<Collection | null>;
  /** The id of the collection that has this handle; null when none has. */
  idByHandle(storeId: string, handle: string): Promise<string | null>;
  /** Which of these ids are no live products of the store. */
  missing(storeId: string, productIds: readonly string[]): Promise<string[]>;
  /** Inserts or replaces the collection, whole, with its count. */
  save(storeId: string, collection: Collection, now: string): Promise<void>;
  /** Deletes the collection. */
  remove(storeId: string, id: string): Promise<void>;
}
