import type { ProductExporter } from '../../../domain/ports/catalogue/product-exporter.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import type { Sql } from '../connection/sql.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { PRODUCT_DOCUMENT } from './product-document.ts';

const pageWhere = (condition: string): string => `
  SELECT row_to_json(d) AS product FROM (SELECT ${PRODUCT_DOCUMENT} FROM products p
    WHERE p.store_id = $storeId AND p.deleted_at IS NULL ${condition} ORDER BY p.created_at, p.id LIMIT $limit::int) d`;

const FIRST = statement({
  text: pageWhere(''),
  parameters: { storeId: 'uuid', limit: 'int4' },
  row: { product: json<Product>('json') },
});

const NEXT = statement({
  text: pageWhere('AND (p.created_at, p.id) > ($createdAt::timestamptz, $id::uuid)'),
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
