import type { Product } from '../../domain/catalogue/product.ts';
import type { ExportCursor } from '../../domain/ports/catalogue/product-exporter.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { productPages } from './product-pages.ts';

/** The products of the pages, one by one. */
export const exportWholeProducts = (ports: Pick<Ports, 'productExporter'>) => {
  const pages = productPages(ports);
  return async function* (storeId: string, after: ExportCursor | null, limit?: number): AsyncGenerator<Product> {
    for await (const page of pages(storeId, after, limit)) yield* page;
  };
};
