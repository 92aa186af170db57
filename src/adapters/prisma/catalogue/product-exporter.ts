import { MAX_PAGE_VARIANTS, type ProductExporter } from '../../../domain/ports/catalogue/product-exporter.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import type { Sql } from '../connection/sql.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { PRODUCT_DOCUMENT } from './product-document.ts';

/**
 * The figures of the list tell how large the products are, before one of them is read. Each is then
 * looked up by itself (OFFSET 0). Otherwise the planner may read the whole store for each page: beside
 * the cost of the documents, that looks like nothing.
 */
const pageWhere = (condition: string): string => `
  SELECT row_to_json(d) AS product FROM (SELECT ${PRODUCT_DOCUMENT}
    FROM (
      SELECT id, created_at, sum(variant_count) OVER (ORDER BY created_at, id) - variant_count AS variants_before
      FROM (
        SELECT id, created_at, variant_count FROM products
        WHERE store_id = $storeId AND deleted_at IS NULL ${condition} ORDER BY created_at, id LIMIT $limit::int) l) n
    CROSS JOIN LATERAL (SELECT * FROM products WHERE store_id = $storeId AND id = n.id OFFSET 0) p
    WHERE n.variants_before < ${MAX_PAGE_VARIANTS} ORDER BY n.created_at, n.id) d`;

const FIRST = statement({
  text: pageWhere(''),
  parameters: { storeId: 'uuid', limit: 'int4' },
  row: { product: json<Product>('json') },
});

const NEXT = statement({
  text: pageWhere('AND (created_at, id) > ($createdAt::timestamptz, $id::uuid)'),
  parameters: { storeId: 'uuid', limit: 'int4', createdAt: 'timestamptz', id: 'uuid' },
  row: { product: json<Product>('json') },
});

export const productExporter = (sql: Sql): ProductExporter => ({
  page: async (storeId, after, limit) => {
    const rows = await (after === null
      ? sql.rows(FIRST, { storeId, limit })
      : sql.rows(NEXT, { storeId, limit, createdAt: after.createdAt, id: after.id }));
    return rows.map(({ product }) => product);
  },
});
