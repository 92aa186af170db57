import type { Collection } from '../../../domain/catalogue/collection.ts';
import type { CollectionRepository } from '../../../domain/ports/collection-repository.ts';
import type { Sql } from '../connection/sql.ts';

export const collectionRepository = (sql: Sql): CollectionRepository => ({
  get: async (storeId, id) => {
    const [row] = await sql.query<Collection>(
      `SELECT c.id, c.title, c.handle, ARRAY(
         SELECT product_id::text FROM collection_products m WHERE m.store_id = c.store_id AND m.collection_id = c.id
         ORDER BY position, product_id) AS "productIds"
       FROM collections c WHERE c.store_id = $1 AND c.id = $2`,
      [storeId, id],
    );
    return row ?? null;
  },
  idByHandle: async (storeId, handle) => {
    const [row] = await sql.query<{ id: string }>('SELECT id FROM collections WHERE store_id = $1 AND handle = $2', [
      storeId,
      handle,
    ]);
    return row?.id ?? null;
  },
  missing: async (storeId, productIds) => {
    const rows = await sql.query<{ id: string }>(
      `SELECT i.id FROM unnest($2::uuid[]) WITH ORDINALITY AS i(id, n)
       WHERE NOT EXISTS (SELECT FROM products p WHERE p.store_id = $1 AND p.id = i.id AND p.deleted_at IS NULL) ORDER BY i.n`,
      [storeId, productIds],
    );
    return rows.map(({ id }) => id);
  },
  save: async (storeId, { id, title, handle, productIds }, now) => {
    await sql.query(
      `INSERT INTO collections (store_id, id, title, handle, product_count, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (store_id, id) DO UPDATE SET title = $3, handle = $4, product_count = $5, updated_at = $6`,
      [storeId, id, title, handle, productIds.length, now],
    );
    await sql.query('DELETE FROM collection_products WHERE store_id = $1 AND collection_id = $2', [storeId, id]);
    await sql.query(
      `INSERT INTO collection_products (store_id, collection_id, product_id, position)
       SELECT $1, $2, i.id, i.n - 1 FROM unnest($3::uuid[]) WITH ORDINALITY AS i(id, n)`,
      [storeId, id, productIds],
    );
  },
  remove: async (storeId, id) => {
    await sql.query('DELETE FROM collections WHERE store_id = $1 AND id = $2', [storeId, id]);
  },
});
