import type { Page } from '../page.ts';

export interface CollectionReader {
  /**
   * Returns a page of the collection's product ids in their order, as the JSON text of the list
   * envelope. Returns null when the store has no such collection.
   */
  page(storeId: string, id: string, page: Page): Promise<string | null>;
}
