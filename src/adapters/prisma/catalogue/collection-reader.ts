import type { CollectionReader } from '../../../domain/ports/collection-reader.ts';
import type { Sql } from '../connection/sql.ts';

const PAGE = `
  SELECT '{"collectionId":"' || c.id || '","productIds":' || to_json(ARRAY(
      SELECT m.product_id FROM collection_products m WHERE m.store_id = c.store_id AND m.collection_id = c.id
      ORDER BY m.position, m.product_id OFFSET $3::bigint LIMIT $4::int))::text
    || ',"skip":' || $3::bigint || ',"take":' || $4::int || ',"total":' || c.product_count || '}' AS text
  FROM collections c WHERE c.store_id = $1 AND c.id = $2`;

export const collectionReader = (sql: Sql): CollectionReader => ({
  page: async (storeId, id, { skip, take }) => {
    const [row] = await sql.query<{ text: string }>(PAGE, [storeId, id, skip, take]);
    return row?.text ?? null;
  },
});
