import type { CollectionReader } from '../../../domain/ports/catalogue/collection-reader.ts';
import { storeKey } from '../../../domain/store-key.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { readingDocuments } from '../reading/documents.ts';
import type { ReadCache } from '../reading/read-cache.ts';

const PAGE = statement({
  text: `
    SELECT c.revision AS version, '{"collectionId":"' || c.id || '","productIds":' || to_json(ARRAY(
        SELECT m.product_id FROM collection_products m WHERE m.store_id = $storeId AND m.collection_id = c.id
        ORDER BY m.position, m.product_id OFFSET $skip::bigint LIMIT $take::int))::text
      || ',"skip":' || $skip::bigint || ',"take":' || $take::int || ',"total":' || c.product_count || '}' AS text
    FROM collections c WHERE c.store_id = $storeId AND c.id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid', skip: 'int8', take: 'int4' },
  row: { version: 'uuid', text: 'text' },
});

export const collectionReader = (sql: Sql, cache: ReadCache): CollectionReader => {
  const read = readingDocuments(cache, 'collections', PAGE.name);
  return {
    page: (storeId, id, { skip, take }, reading) =>
      read(
        storeKey(storeId, `${id}/${skip}/${take}`),
        reading,
        async () => (await sql.rows(PAGE, { storeId, id, skip, take }))[0] ?? null,
      ),
  };
};
