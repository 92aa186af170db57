import type { Page } from '../../page.ts';
import type { JsonDocument, Reading } from '../../reading.ts';

export interface CollectionReader {
  /**
   * Returns a page of the collection's product ids in their order, in the list envelope. Returns null
   * when the store has no such collection. Returns pages that differ under different tags.
   */
  page(storeId: string, id: string, page: Page, reading?: Reading): Promise<JsonDocument | null>;
}
