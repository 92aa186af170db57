import type { Product } from '../../domain/catalogue/product.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { productPages, type Reading } from './product-pages.ts';

/** The products of the pages, one by one. */
export const exportWholeProducts = (ports: Pick<Ports, 'productExporter'>) => {
  const pages = productPages(ports);
  return async function* (storeId: string, reading: Reading): AsyncGenerator<Product> {
    for await (const page of pages(storeId, reading)) yield* page;
  };
};
