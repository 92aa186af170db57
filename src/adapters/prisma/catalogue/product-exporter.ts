import type { ProductExporter } from '../../../domain/ports/product-exporter.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import type { Sql } from '../connection/sql.ts';
import { PRODUCT_DOCUMENT } from './product-tables.ts';

const ORDERED = `
  SELECT row_to_json(d) AS product FROM (SELECT ${PRODUCT_DOCUMENT} FROM products p
    WHERE p.store_id = $1 AND p.deleted_at IS NULL`;
const FIRST = `${ORDERED} ORDER BY p.created_at, p.id LIMIT $2::int) d`;
const NEXT = `${ORDERED} AND (p.created_at, p.id) > ($3::timestamptz, $4::uuid) ORDER BY p.created_at, p.id LIMIT $2::int) d`;

export const productExporter = (sql: Sql): ProductExporter => ({
  page: async (storeId, after, limit) => {
    const rows = await (after === null
      ? sql.query<{ product: Product }>(FIRST, [storeId, limit])
      : sql.query<{ product: Product }>(NEXT, [storeId, limit, after.createdAt, after.id]));
    return rows.map(({ product }) => product);
  },
});
