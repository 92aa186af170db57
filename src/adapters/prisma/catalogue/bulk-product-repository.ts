import type { BulkProduct } from '../../../domain/catalogue/bulk-product.ts';
import type { BulkProductRepository } from '../../../domain/ports/bulk-product-repository.ts';
import { derivedRange, slugFamily } from '../../../domain/catalogue/slug.ts';
import { RENAME_SEARCH } from './product-search.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { lockSlugFamilies } from './slug-locks.ts';

const LOCK = `
  SELECT id, name, slug, meta_title AS "metaTitle", meta_description AS "metaDescription", category_id AS "categoryId", status,
    iso(published_at) AS "publishedAt", variant_count AS "variantCount"
  FROM products WHERE store_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE`;

// slug sorts by its bytes, so what begins with a base is a range of the index.
const HOLDERS = `
  SELECT slug, id FROM products WHERE store_id = $1 AND slug = ANY ($2::text[])
  UNION
  SELECT p.slug, p.id FROM unnest($3::text[], $4::text[]) AS b(low, high)
  JOIN products p ON p.store_id = $1 AND p.slug >= b.low AND p.slug < b.high`;

const UPDATE = `
  WITH change AS (
    SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::timestamptz[])
      AS c(id, name, slug, meta_title, meta_description, category_id, status, published_at)),
  claimed AS (DELETE FROM slug_history WHERE store_id = $1 AND slug = ANY ($10::text[])),
  released AS (
    INSERT INTO slug_history (store_id, slug, product_id, created_at)
    SELECT $1, slug, product_id, $13::timestamptz FROM unnest($11::text[], $12::uuid[]) AS r(slug, product_id)
    ON CONFLICT (store_id, slug) DO UPDATE SET product_id = excluded.product_id, created_at = excluded.created_at)
  UPDATE products p SET name = c.name, slug = c.slug, meta_title = c.meta_title, meta_description = c.meta_description,
    category_id = c.category_id, status = c.status, published_at = c.published_at, updated_at = $13::timestamptz
  FROM change c WHERE p.store_id = $1 AND p.id = c.id`;

export const bulkProductRepository = (sql: TransactionSql): BulkProductRepository => ({
  lock: (storeId, ids) => sql.query<BulkProduct>(LOCK, [storeId, ids]),
  claimSlugs: async (storeId, { slugs, bases }) => {
    if (slugs.length + bases.length === 0) return new Map();
    await lockSlugFamilies(sql, storeId, [...slugs, ...bases].map(slugFamily));
    const ranges = bases.map(derivedRange);
    const rows = await sql.query<{ slug: string; id: string }>(HOLDERS, [
      storeId,
      slugs,
      ranges.map(([low]) => low),
      ranges.map(([, high]) => high),
    ]);
    return new Map(rows.map(({ slug, id }) => [slug, id]));
  },
  categories: async (storeId, ids) => {
    if (ids.length === 0) return new Set();
    const rows = await sql.query<{ id: string }>(
      'SELECT id FROM categories WHERE store_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL FOR KEY SHARE',
      [storeId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  },
  update: async (storeId, writes, now) => {
    if (writes.length === 0) return;
    const after = writes.map((write) => write.after);
    const moved = writes.filter((write) => write.before.slug !== write.after.slug);
    const claimed = moved.flatMap((write) => write.after.slug ?? []);
    // A slug that one product of the request gave up and another took is in use, not history.
    const released = moved.filter(({ before }) => before.slug !== null && !claimed.includes(before.slug));
    const column = <K extends keyof BulkProduct>(field: K): BulkProduct[K][] => after.map((product) => product[field]);
    await sql.send(UPDATE, [
      storeId,
      column('id'),
      column('name'),
      column('slug'),
      column('metaTitle'),
      column('metaDescription'),
      column('categoryId'),
      column('status'),
      column('publishedAt'),
      claimed,
      released.map(({ before }) => before.slug),
      released.map(({ before }) => before.id),
      now,
    ]);
    const renamed = writes.filter(({ before, after: { name } }) => before.name !== name);
    if (renamed.length > 0)
      await sql.send(RENAME_SEARCH, [storeId, renamed.map((write) => write.after.id), renamed.map((write) => write.after.name)]);
  },
});
