import type { Page } from '../page.ts';

export interface CollectionReader {
  /** A page of the collection's product ids in their order, as the ready JSON text of its envelope; null when the store has no such collection. */
  page(storeId: string, id: string, page: Page): Promise<string | null>;
}
