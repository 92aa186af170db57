import type { CollectionReader } from '../../../domain/ports/collection-reader.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const PAGE = statement({
  text: `
    SELECT '{"collectionId":"' || c.id || '","productIds":' || to_json(ARRAY(
        SELECT m.product_id FROM collection_products m WHERE m.store_id = c.store_id AND m.collection_id = c.id
        ORDER BY m.position, m.product_id OFFSET $skip::bigint LIMIT $take::int))::text
      || ',"skip":' || $skip::bigint || ',"take":' || $take::int || ',"total":' || c.product_count || '}' AS text
    FROM collections c WHERE c.store_id = $storeId AND c.id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid', skip: 'int8', take: 'int4' },
  row: { text: 'text' },
});

export const collectionReader = (sql: Sql): CollectionReader => ({
  page: async (storeId, id, { skip, take }) => {
    const [row] = await sql.rows(PAGE, { storeId, id, skip, take });
    return row?.text ?? null;
  },
});
