import type { Page } from '../../page.ts';
import type { JsonDocument, Reading } from '../../reading.ts';
import type { ProductPlace } from '../../catalogue/product-place.ts';
import type { ProductKind, ProductStatus } from '../../catalogue/product.ts';

export interface ProductFilter {
  readonly ids?: readonly string[] | undefined;
  readonly status?: ProductStatus | undefined;
  readonly kind?: ProductKind | undefined;
  readonly categoryId?: string | undefined;
  readonly tag?: string | undefined;
  /** ISO 8601. */
  readonly updatedSince?: string | undefined;
  readonly q?: string | undefined;
}

export interface ProductPage extends Page {
  /** Null is the beginning. */
  readonly after?: ProductPlace | null | undefined;
  /** By default, all. */
  readonly fields?: readonly string[] | undefined;
}

export interface ProductReader {
  /**
   * Returns the list envelope of the store's live products, by createdAt, then id.
   * Each item has exactly the fields of a product in a list. With `fields`, each item has only those, in
   * their order in the list. With `after`, the page begins behind that place, and the envelope has `next`,
   * the place behind which the list continues, or null at its end. A page is exact although products are
   * added, moved and deleted between two pages. `total` counts all matching products, not only
   * those of the page. Returns only products that match every filter. `q` matches any part of the
   * name or of a live variant's SKU, and ignores case. `%`, `_` and `\` in `q` match themselves.
   * `q` never matches text that begins in one name or SKU and ends in another. `q` matches the
   * product as it is now. Returns null when the products that match `q` cannot be counted in the
   * time that a search may take.
   */
  list(storeId: string, page: ProductPage, filter: ProductFilter, reading?: Reading): Promise<JsonDocument | null>;
  /**
   * Returns the product with all of its parts, as it is now or as the looked-up version was. Returns
   * null when the store has no live product with this id. Returns no bytes that the reader has.
   */
  detail(storeId: string, id: string, reading?: Reading): Promise<JsonDocument | null>;
  /**
   * Returns the JSON of the store's live products with these ids, by id. Returns null for those that would make them more than
   * `maxBytes` together.
   */
  documents(storeId: string, ids: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, string | null>>;
}
