import type { Product } from '../../domain/catalogue/product.ts';
import type { ExportCursor } from '../../domain/ports/catalogue/product-exporter.ts';
import type { Ports } from '../../domain/ports/index.ts';

/** Products in memory at once. Large ones come in shorter pages. */
const PAGE = 50;

export interface PageReading {
  readonly after?: ExportCursor | null;
  readonly limit?: number | undefined;
}

/**
 * A store's live products as their details show them, by createdAt and id, after a place. They are
 * read in pages, each as it is when its page is read, so no transaction and no connection waits for
 * the reader.
 */
export const productPages = ({ productExporter }: Pick<Ports, 'productExporter'>) =>
  async function* (storeId: string, { after = null, limit = Infinity }: PageReading = {}): AsyncGenerator<Product[]> {
    let place = after;
    for (let left = limit; left > 0;) {
      const page = await productExporter.page(storeId, place, Math.min(PAGE, left));
      if (page.length === 0) return;
      yield page;
      place = page.at(-1) ?? place;
      left -= page.length;
    }
  };
