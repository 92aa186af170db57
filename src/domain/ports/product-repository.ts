import type { Media, Product } from '../catalogue/product.ts';

export interface ProductRepository {
  /** Lets one merchant's write at a time change the store's catalogue, until the transaction ends. To be called first. */
  lockCatalogue(storeId: string): Promise<void>;
  /** The ids of the live products that hold these slugs, by slug. */
  idsBySlug(storeId: string, slugs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The ids of the live products that gave these slugs up, by slug, where nobody holds the slug. */
  idsByFormerSlug(storeId: string, slugs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of these products that a former slug leads to. */
  haveFormerSlugs(storeId: string, ids: readonly string[]): Promise<string[]>;
  /** The products of these ids that exist, live or deleted, whole; locked until the transaction ends. */
  lock(storeId: string, ids: readonly string[]): Promise<Product[]>;
  /**
   * Writes the products whole, in place of what was there, with their list figures and the store's count. One that cannot be stored
   * (an id that another record has) is left out: the answer has its id with a public message. A slug that a product gives up goes to the
   * history; one that a live product claims leaves it.
   */
  save(storeId: string, products: readonly Product[]): Promise<ReadonlyMap<string, string>>;
  /** Adds the media to a live product that is locked, behind its others, with what the list shows of the product then; its time of change is the media's creation. */
  addMedia(product: Product, media: Media): Promise<void>;
  /** Deletes softly: the slug is free, no redirect stays, and collections no longer hold it. False when there is no live product of this id. */
  remove(storeId: string, id: string, now: string): Promise<boolean>;
}
