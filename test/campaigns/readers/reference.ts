import type pg from 'pg';

import { PRODUCT_DOCUMENT } from '../../../src/adapters/prisma/catalogue/product-document.ts';
import { compileStatement } from '../../../src/adapters/prisma/connection/statement.ts';
import { canonical } from './canonical.ts';
import type { ListItem } from './pages.ts';

/** The products whose documents a write may have changed. */
export interface Changed {
  readonly by: 'id' | 'category_id' | 'tax_class_id';
  readonly ids: readonly string[];
}

export interface Rendered {
  /** By the product's id. Without those that do not exist. */
  readonly details: ReadonlyMap<string, string>;
  readonly items: readonly ListItem[];
  /** The ids of a collection's products, in their order. */
  readonly collections: ReadonlyMap<string, readonly string[]>;
}

/** Straight from the rows, past all that keeps, counts or remembers them. */
const detailsBy = (by: Changed['by']) =>
  compileStatement({
    text: `
      SELECT d.id, row_to_json(d)::text AS text FROM (
        SELECT ${PRODUCT_DOCUMENT} FROM products p WHERE p.store_id = $storeId AND p.${by} = ANY ($ids) AND p.deleted_at IS NULL) d`,
    parameters: { storeId: 'uuid', ids: 'uuid[]' },
  });
const DETAILS = { id: detailsBy('id'), category_id: detailsBy('category_id'), tax_class_id: detailsBy('tax_class_id') };

const ITEMS = `
  SELECT row_to_json(i)::text AS text FROM (
    SELECT p.id, p.name, p.slug, p.status, p.kind, p.category_id AS "categoryId", c.name AS "categoryName", p.currency,
      p.min_price AS "minPrice", p.max_price AS "maxPrice", p.tags, p.thumbnail_url AS "thumbnailUrl", p.thumbnail_alt AS "thumbnailAlt",
      p.total_inventory AS "totalInventory", p.variant_count AS "variantCount",
      to_char(coalesce(p.updated_at, p.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"
    FROM products p LEFT JOIN categories c ON c.store_id = p.store_id AND c.id = p.category_id
    WHERE p.store_id = $1 AND p.deleted_at IS NULL ORDER BY p.created_at, p.id) i`;

const COLLECTIONS = `
  SELECT c.id, coalesce((SELECT json_agg(m.product_id ORDER BY m.position, m.product_id) FROM collection_products m
    WHERE m.store_id = c.store_id AND m.collection_id = c.id), '[]') AS "productIds"
  FROM collections c WHERE c.store_id = $1`;

const itemOf = (text: string): ListItem => {
  const item = JSON.parse(text) as Pick<ListItem, 'categoryId' | 'status' | 'tags'>;
  const { categoryId, status, tags } = item;
  return { json: canonical(item), categoryId, status, tags };
};

/** Renders a store in one snapshot: its lists, and the documents that may have changed. */
export const render = async (pool: pg.Pool, storeId: string, { by, ids }: Changed): Promise<Rendered> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const details = await client.query<{ id: string; text: string }>(DETAILS[by].bind({ storeId, ids }));
    const items = await client.query<{ text: string }>({ name: 'items', text: ITEMS, values: [storeId] });
    const collections = await client.query<{ id: string; productIds: string[] }>(COLLECTIONS, [storeId]);
    await client.query('COMMIT');
    return {
      details: new Map(details.rows.map(({ id, text }) => [id, canonical(JSON.parse(text))])),
      items: items.rows.map(({ text }) => itemOf(text)),
      collections: new Map(collections.rows.map(({ id, productIds }) => [id, productIds])),
    };
  } finally {
    client.release();
  }
};
