import type { CollectionRepository } from '../../../domain/ports/catalogue/collection-repository.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const ONE = { storeId: 'uuid', id: 'uuid' } as const;

const GET = statement({
  text: `
    SELECT c.id, c.title, c.handle, ARRAY(
      SELECT product_id FROM collection_products m WHERE m.store_id = $storeId AND m.collection_id = c.id
      ORDER BY position, product_id) AS "productIds"
    FROM collections c WHERE c.store_id = $storeId AND c.id = $id`,
  parameters: ONE,
  row: { id: 'uuid', title: 'text', handle: 'text?', productIds: 'uuid[]' },
});

const ID_BY_HANDLE = statement({
  text: 'SELECT id FROM collections WHERE store_id = $storeId AND handle = $handle',
  parameters: { storeId: 'uuid', handle: 'text' },
  row: { id: 'uuid' },
});

const MISSING = statement({
  text: `
    SELECT i.id FROM unnest($ids::uuid[]) WITH ORDINALITY AS i(id, n)
    WHERE NOT EXISTS (SELECT FROM products p WHERE p.store_id = $storeId AND p.id = i.id AND p.deleted_at IS NULL) ORDER BY i.n`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid' },
});

const SAVE = statement({
  text: `
    INSERT INTO collections (store_id, id, title, handle, product_count, created_at)
    VALUES ($storeId, $id, $title, $handle, $count, $now)
    ON CONFLICT (store_id, id) DO UPDATE SET title = $title, handle = $handle, product_count = $count, updated_at = $now,
      revision = excluded.revision`,
  parameters: { ...ONE, title: 'text', handle: 'text?', count: 'int4', now: 'timestamptz' },
});

const REMOVE_PRODUCTS = statement({
  text: 'DELETE FROM collection_products WHERE store_id = $storeId AND collection_id = $id',
  parameters: ONE,
});

/** The foreign key locks each product in turn, so they come in the order of their ids (catalogue-lock.ts). */
const ADD_PRODUCTS = statement({
  text: `
    INSERT INTO collection_products (store_id, collection_id, product_id, position)
    SELECT s.id, $id, i.id, i.n - 1 FROM stores s CROSS JOIN unnest($productIds::uuid[]) WITH ORDINALITY AS i(id, n)
    WHERE s.id = $storeId ORDER BY i.id`,
  parameters: { ...ONE, productIds: 'uuid[]' },
});

const REMOVE = statement({ text: 'DELETE FROM collections WHERE store_id = $storeId AND id = $id', parameters: ONE });

export const collectionRepository = (sql: Sql): CollectionRepository => ({
  get: async (storeId, id) => (await sql.rows(GET, { storeId, id }))[0] ?? null,
  idByHandle: async (storeId, handle) => (await sql.rows(ID_BY_HANDLE, { storeId, handle }))[0]?.id ?? null,
  missing: async (storeId, ids) => (await sql.rows(MISSING, { storeId, ids })).map(({ id }) => id),
  save: async (storeId, { id, title, handle, productIds }, now) => {
    await sql.execute(SAVE, { storeId, id, title, handle, count: productIds.length, now });
    await sql.execute(REMOVE_PRODUCTS, { storeId, id });
    await sql.execute(ADD_PRODUCTS, { storeId, id, productIds });
  },
  remove: async (storeId, id) => {
    await sql.execute(REMOVE, { storeId, id });
  },
});
