import pg from 'pg';

import { listFigures } from '../../../domain/catalogue/list-figures.ts';
import type { ProductRepository } from '../../../domain/ports/product-repository.ts';
import type { Product } from '../../../domain/catalogue/product.ts';
import { lockCatalogue } from './catalogue-lock.ts';
import type { Sql } from '../connection/sql.ts';
import { KEPT_MOVES } from './list-bookmarks.ts';
import { PRODUCT_DOCUMENT } from './product-tables.ts';
import { writeProducts } from './product-writes.ts';
import type { ProductBefore } from './product-writes.ts';

const DOCUMENTS = `
  SELECT row_to_json(d) AS product FROM (
    SELECT ${PRODUCT_DOCUMENT} FROM products p WHERE p.store_id = $1 AND p.id = ANY ($2::uuid[]) ORDER BY p.id) d`;

// What is given up goes to the history before what is claimed leaves it: a slug may do both in one write.
const RELEASE_SLUGS = `
  INSERT INTO slug_history (store_id, slug, product_id)
  SELECT $1, slug, product_id FROM unnest($2::text[], $3::uuid[]) AS r(slug, product_id)
  ON CONFLICT (store_id, slug) DO UPDATE SET product_id = excluded.product_id, created_at = excluded.created_at`;

const CLAIM_SLUGS = 'DELETE FROM slug_history WHERE store_id = $1 AND slug = ANY ($2::text[])';

const HOLDERS = 'SELECT slug, id FROM products WHERE store_id = $1 AND slug = ANY ($2::text[])';

// A slug that is claimed leaves the history, so what stands there is nobody's, and a deleted product's went with it.
const FORMER = 'SELECT slug, product_id AS id FROM slug_history WHERE store_id = $1 AND slug = ANY ($2::text[])';

const HAVE_FORMER = 'SELECT DISTINCT product_id AS id FROM slug_history WHERE store_id = $1 AND product_id = ANY ($2::uuid[])';

const ADD_MEDIA = `
  WITH added AS (
    INSERT INTO media (store_id, id, product_id, ordinal, product_variant_id, asset_id, ai_generated, alt_text, content_type, position,
      size_bytes, storage_key, url, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::timestamptz)
  )
  UPDATE products SET updated_at = $14::timestamptz, thumbnail_url = $15, thumbnail_alt = $16 WHERE store_id = $1 AND id = $3`;

/** The place in the list of a product that comes or goes. */
interface Move {
  readonly createdAt: Date | string;
  readonly id: string;
  readonly delta: 1 | -1;
}

/**
 * Counts the moves and notes them for those who know places in the list (list-bookmarks.ts). Whoever moves products of the store does this
 * last and waits for the store's row, so that versions follow each other as commits do.
 */
const NOTE = `
  WITH store AS (
    UPDATE stores SET product_count = product_count + $2, list_version = list_version + 1 WHERE id = $1 RETURNING list_version AS version),
  forgotten AS (DELETE FROM list_moves WHERE store_id = $1 AND version = (SELECT version FROM store) - ${KEPT_MOVES})
  INSERT INTO list_moves (store_id, version, created_at, product_id, delta)
  SELECT $1, version, created_at, product_id, CASE WHEN cardinality($4::uuid[]) = 1 THEN $2::int END
  FROM store, unnest($3::timestamptz[], $4::uuid[]) AS moved(created_at, product_id) ORDER BY created_at, product_id LIMIT 1`;

const note = async (sql: Sql, storeId: string, moves: readonly Move[]): Promise<void> => {
  if (moves.length === 0) return;
  const growth = moves.reduce((sum, { delta }) => sum + delta, 0);
  await sql.query(NOTE, [storeId, growth, moves.map(({ createdAt }) => createdAt), moves.map(({ id }) => id)]);
};

const movesOf = ({ id, createdAt }: Product, before: ProductBefore | undefined): Move[] => {
  const come: Move = { id, createdAt, delta: 1 };
  if (!before?.live) return [come];
  return before.createdAt.getTime() === Date.parse(createdAt) ? [] : [{ id, createdAt: before.createdAt, delta: -1 }, come];
};

/** Returns how the store's list changes. */
const write = async (sql: Sql, storeId: string, products: readonly Product[]): Promise<Move[]> => {
  const before = await writeProducts(sql, storeId, products);
  const slugs = new Map(products.map(({ id, slug }) => [id, slug]));
  const released = before.filter(({ id, slug }) => slug !== null && slug !== slugs.get(id));
  if (released.length > 0)
    await sql.query(RELEASE_SLUGS, [storeId, released.map(({ slug }) => slug), released.map(({ id }) => id)]);
  await sql.query(CLAIM_SLUGS, [storeId, products.flatMap(({ slug }) => slug ?? [])]);
  const found = new Map(before.map((product) => [product.id, product]));
  return products.flatMap((product) => movesOf(product, found.get(product.id)));
};

const idsBy = async (sql: Sql, text: string, storeId: string, slugs: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (slugs.length === 0) return new Map();
  const rows = await sql.query<{ id: string; slug: string }>(text, [storeId, slugs]);
  return new Map(rows.map(({ id, slug }) => [slug, id]));
};

/** Classes 22 and 23: a value or a constraint refuses the row. Anything else is an outage or a bug. */
const isRefused = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && (error.code?.startsWith('22') === true || error.code?.startsWith('23') === true);

const attempt = async <T>(sql: Sql, work: () => Promise<T>): Promise<T | pg.DatabaseError> => {
  await sql.query('SAVEPOINT product_write');
  try {
    const value = await work();
    await sql.query('RELEASE SAVEPOINT product_write');
    return value;
  } catch (error) {
    if (!isRefused(error)) throw error;
    await sql.query('ROLLBACK TO SAVEPOINT product_write');
    return error;
  }
};

const messageOf = (error: pg.DatabaseError): string => {
  if (error.code === '23505') return `id: another record of the store has it (${error.detail ?? error.table ?? ''})`;
  return `the product cannot be stored: ${error.message}`;
};

/**
 * From so many products on, each statement is planned once for all of its rows and not for each: what the foreign keys ask of a row takes longer to
 * plan than to do. Plans are made anew first, those of the foreign keys too: see lockCatalogue.
 */
const MANY = 50;
const planOnce = async (sql: Sql): Promise<void> => {
  await sql.query('DISCARD PLANS');
  await sql.query(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`);
};

export const productRepository = (sql: Sql): ProductRepository => ({
  lockCatalogue: (storeId) => lockCatalogue(sql, storeId),
  idsBySlug: (storeId, slugs) => idsBy(sql, HOLDERS, storeId, slugs),
  idsByFormerSlug: (storeId, slugs) => idsBy(sql, FORMER, storeId, slugs),
  haveFormerSlugs: async (storeId, ids) => {
    if (ids.length === 0) return [];
    return (await sql.query<{ id: string }>(HAVE_FORMER, [storeId, ids])).map(({ id }) => id);
  },
  lock: async (storeId, ids) => {
    if (ids.length === 0) return [];
    // Two statements: the second sees what the wait for the lock brought.
    const locked = await sql.query(
      'SELECT 1 FROM products WHERE store_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE',
      [storeId, ids],
    );
    if (locked.length === 0) return [];
    const rows = await sql.query<{ product: Product }>(DOCUMENTS, [storeId, ids]);
    return rows.map(({ product }) => product);
  },
  save: async (storeId, products) => {
    const failures = new Map<string, string>();
    if (products.length === 0) return failures;
    if (products.length >= MANY) await planOnce(sql);
    const together = await attempt(sql, () => write(sql, storeId, products));
    const moves = Array.isArray(together) ? together : [];
    if (!Array.isArray(together)) {
      for (const product of products) {
        const alone = await attempt(sql, () => write(sql, storeId, [product]));
        if (Array.isArray(alone)) moves.push(...alone);
        else failures.set(product.id, messageOf(alone));
      }
    }
    await note(sql, storeId, moves);
    return failures;
  },
  addMedia: async (product, media) => {
    const { thumbnailUrl, thumbnailAlt } = listFigures({ ...product, media: [...product.media, media] });
    await sql.query(ADD_MEDIA, [
      ...[product.tenantId, media.id, product.id, product.media.length, media.productVariantId, media.assetId, media.aiGenerated],
      ...[media.altText, media.contentType, media.position, media.sizeBytes, media.storageKey, media.url, media.createdAt],
      ...[thumbnailUrl, thumbnailAlt],
    ]);
  },
  remove: async (storeId, id, now) => {
    const [gone] = await sql.query<{ createdAt: Date }>(
      `UPDATE products SET deleted_at = $3::timestamptz, slug = NULL WHERE store_id = $1 AND id = $2 AND deleted_at IS NULL
       RETURNING created_at AS "createdAt"`,
      [storeId, id, now],
    );
    if (!gone) return false;
    await sql.query('DELETE FROM slug_history WHERE store_id = $1 AND product_id = $2', [storeId, id]);
    await sql.query(
      `WITH gone AS (DELETE FROM collection_products WHERE store_id = $1 AND product_id = $2 RETURNING collection_id),
       unsearched AS (DELETE FROM product_search WHERE store_id = $1 AND product_id = $2)
       UPDATE collections SET product_count = product_count - 1 WHERE store_id = $1 AND id IN (SELECT collection_id FROM gone)`,
      [storeId, id],
    );
    await note(sql, storeId, [{ id, createdAt: gone.createdAt, delta: -1 }]);
    return true;
  },
});
