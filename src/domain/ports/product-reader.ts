import type { Page } from '../page.ts';
import type { ProductKind, ProductStatus } from '../catalogue/product.ts';

export interface ProductFilter {
  readonly status?: ProductStatus | undefined;
  readonly kind?: ProductKind | undefined;
  readonly categoryId?: string | undefined;
  readonly tag?: string | undefined;
  /** ISO 8601. */
  readonly updatedSince?: string | undefined;
  readonly q?: string | undefined;
}

/** Reads of live products as ready JSON text, each in one statement whatever the size. */
export interface ProductReader {
  /**
   * The list's envelope: items in the order of createdAt, then id; soft-deleted products are not listed. `total` counts all that match,
   * beyond the page too. A filter on `q` finds name or SKU by any part, without regard to case; `%` and `_` stand for themselves. Null when
   * all that matches `q` cannot be counted in the time that a search may take.
   */
  list(storeId: string, page: Page, filter: ProductFilter): Promise<string | null>;
  /** The product detail, whole; null when the store has no live product of this id. */
  detail(storeId: string, id: string): Promise<string | null>;
}
