import type { Collection } from '../../catalogue/product.ts';

export interface CollectionRepository {
  /**
   * Returns the collection with its products in their order. Returns null when the store has no
   * collection with this id.
   */
  get(storeId: string, id: string): Promise<Collection | null>;
  /**
   * Returns the id of the store's collection with this handle. Returns null when the store has no
   * collection with this handle.
   */
  idByHandle(storeId: string, handle: string): Promise<string | null>;
  /** Returns those of the ids that are not live products of the store. */
  missing(storeId: string, productIds: readonly string[]): Promise<string[]>;
  /** Inserts or replaces the collection with all of its products. */
  save(storeId: string, collection: Collection, now: string): Promise<void>;
  /** Deletes the collection. */
  remove(storeId: string, id: string): Promise<void>;
}
