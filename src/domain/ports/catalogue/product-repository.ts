import type { Media, Product } from '../../catalogue/product.ts';

/** A variant as it is named. */
export interface StoredVariant {
  readonly productId: string;
  readonly id: string;
  readonly sku: string;
}

export interface ProductRepository {
  /** Keeps other transactions from locking the store's catalogue until this one ends. */
  lockCatalogue(storeId: string): Promise<void>;
  /** Returns the ids of the store's live products that hold these slugs, by slug. */
  idsBySlug(storeId: string, slugs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Returns the ids of the store's live products that gave these slugs up, by slug. Leaves out a
   * slug that another product holds now.
   */
  idsByFormerSlug(storeId: string, slugs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the ids of those products that a former slug redirects to. */
  haveFormerSlugs(storeId: string, ids: readonly string[]): Promise<string[]>;
  /** Returns the live variants of the store's live products with these ids. */
  variantsOf(storeId: string, ids: readonly string[]): Promise<StoredVariant[]>;
  /**
   * Returns the store's products with these ids, live or deleted, with all of their parts. Keeps
   * other transactions from locking them until this one ends. Returns them as the transaction
   * before left them.
   */
  lock(storeId: string, ids: readonly string[]): Promise<Product[]>;
  /**
   * Inserts the products, or replaces them with all of their parts. Updates what the product list
   * shows of them, and its total. Does not write a product when another record has its id or the id
   * of one of its parts. Returns a public message for each product that was not written, by product
   * id. Adds a slug that a product gives up to the slug history. Removes a slug that a product
   * takes from the slug history.
   */
  save(storeId: string, products: readonly Product[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Inserts products that the store does not have, with all of their parts. Takes all of
   * them, also when one is not written. Updates the total of the product list. Does not write a product when another record has its id or
   * the id of one of its parts. Returns a public message for each product that was not written, by product id. Removes a slug that a
   * product takes from the slug history.
   */
  insert(storeId: string, products: Iterable<Product>): Promise<ReadonlyMap<string, string>>;
  /**
   * Adds the media after the other media of the locked product. Updates the thumbnail that the
   * product list shows. Sets the product's updatedAt to the createdAt of the media.
   */
  addMedia(product: Product, media: Media): Promise<void>;
  /**
   * Returns the entity tag that a reader of the product gets. Returns null when the store has no live product with this id.
   */
  tagOf(storeId: string, id: string): Promise<string | null>;
  /**
   * Marks the product as deleted. Frees its slug. Removes its former slugs from the slug history.
   * Removes it from every collection. Returns false when the store has no live product with this
   * id.
   */
  remove(storeId: string, id: string, now: string): Promise<boolean>;
}
