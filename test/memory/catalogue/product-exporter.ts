import {
  MAX_PAGE_VARIANTS,
  type ExportCursor,
  type ProductExporter,
} from '../../../src/domain/ports/catalogue/product-exporter.ts';
import type { Product } from '../../../src/domain/catalogue/product.ts';
import { table, type MemoryState } from '../state.ts';

const isAfter = (product: ExportCursor, cursor: ExportCursor): boolean =>
  product.createdAt === cursor.createdAt ? product.id > cursor.id : product.createdAt > cursor.createdAt;

export const productExporter = (state: MemoryState): ProductExporter => ({
  page: async (storeId, after, limit) => {
    let before = 0;
    return [...table<Product>(state, 'products').values()]
      .filter((product) => product.tenantId === storeId && product.deletedAt === null)
      .filter((product) => after === null || isAfter(product, after))
      .sort((one, other) => (isAfter(one, other) ? 1 : -1))
      .slice(0, limit)
      .filter(({ variants }) => {
        const isWithin = before < MAX_PAGE_VARIANTS;
        before += variants.length;
        return isWithin;
      });
  },
});
