import type { BulkProduct } from '../../../domain/catalogue/bulk-product.ts';
import { PRODUCT_STATUSES } from '../../../domain/catalogue/product.ts';
import { derivedRange, slugFamily } from '../../../domain/catalogue/slug.ts';
import type { BulkProductRepository } from '../../../domain/ports/catalogue/bulk-product-repository.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { RENAME_SEARCH } from './product-search.ts';
import { CLAIM_SLUGS, HOLDERS_OF_SLUGS, RELEASE_SLUGS, withoutSorting } from './slug-history.ts';
import { enqueueSlugLocks } from './slug-locks.ts';

const LOCK = statement({
  text: `
    SELECT id, name, slug, meta_title AS "metaTitle", meta_description AS "metaDescription", category_id AS "categoryId", status,
      iso(published_at) AS "publishedAt", variant_count AS "variantCount"
    FROM products WHERE store_id = $storeId AND id = ANY ($ids) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: {
    id: 'uuid',
    name: 'text',
    slug: 'text?',
    metaTitle: 'text?',
    metaDescription: 'text?',
    categoryId: 'uuid?',
    status: oneOf('text', PRODUCT_STATUSES),
    publishedAt: 'text?',
    variantCount: 'int4',
  },
});

/**
 * slug sorts by its bytes, so what begins with a base is a range of the index. OFFSET 0 keeps the
 * look-up of each range by itself: joined, a plan for any number of bases reads the whole store. It is
 * in the order of the slugs for the reason that the other half has (slug-history.ts).
 */
const HOLDERS = statement({
  text: `${HOLDERS_OF_SLUGS}
    UNION
    SELECT p.slug, p.id FROM unnest($lows::text[], $highs::text[]) AS b(low, high) CROSS JOIN LATERAL (
      SELECT slug, id FROM products WHERE store_id = $storeId AND slug >= b.low AND slug < b.high ORDER BY slug OFFSET 0) p`,
  parameters: { storeId: 'uuid', slugs: 'text[]', lows: 'text[]', highs: 'text[]' },
  row: { slug: 'text', id: 'uuid' },
});

const CATEGORIES = statement({
  text: 'SELECT id FROM categories WHERE store_id = $storeId AND id = ANY ($ids) AND deleted_at IS NULL FOR KEY SHARE',
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid' },
});

/** The ids are named twice, so that no plan reads the whole store. */
const UPDATE = statement({
  text: `
    WITH change AS (
      SELECT * FROM unnest($ids::uuid[], $names::text[], $slugs::text[], $metaTitles::text[], $metaDescriptions::text[],
          $categoryIds::uuid[], $statuses::text[], $publishedAts::timestamptz[])
        AS c(id, name, slug, meta_title, meta_description, category_id, status, published_at))
    UPDATE products p SET name = c.name, slug = c.slug, meta_title = c.meta_title, meta_description = c.meta_description,
      category_id = c.category_id, status = c.status, published_at = c.published_at, updated_at = $now::timestamptz
    FROM change c WHERE p.store_id = $storeId AND p.id = ANY ($ids) AND p.id = c.id`,
  parameters: {
    storeId: 'uuid',
    ids: 'uuid[]',
    names: 'text[]',
    slugs: 'text?[]',
    metaTitles: 'text?[]',
    metaDescriptions: 'text?[]',
    categoryIds: 'uuid?[]',
    statuses: 'text[]',
    publishedAts: 'timestamptz?[]',
    now: 'timestamptz',
  },
});

export const bulkProductRepository = (sql: TransactionSql): BulkProductRepository => ({
  lock: (storeId, ids) => sql.rows(LOCK, { storeId, ids }),
  claimSlugs: async (storeId, { slugs, bases }) => {
    if (slugs.length + bases.length === 0) return new Map();
    enqueueSlugLocks(sql, storeId, [...slugs, ...bases].map(slugFamily));
    const ranges = bases.map(derivedRange);
    const lows = ranges.map(([low]) => low);
    const highs = ranges.map(([, high]) => high);
    const rows = await withoutSorting(sql, () => sql.rows(HOLDERS, { storeId, slugs, lows, highs }));
    return new Map(rows.map(({ slug, id }) => [slug, id]));
  },
  categories: async (storeId, ids) => {
    if (ids.length === 0) return new Set();
    return new Set((await sql.rows(CATEGORIES, { storeId, ids })).map(({ id }) => id));
  },
  update: (storeId, writes, now) => {
    if (writes.length === 0) return Promise.resolve();
    const after = writes.map((write) => write.after);
    const moved = writes.filter((write) => write.before.slug !== write.after.slug);
    const claimed = moved.flatMap((write) => write.after.slug ?? []);
    // A slug that one product of the request gives up and another takes is in use and not history.
    const released = moved.flatMap(({ before: { id, slug } }) => (slug === null || claimed.includes(slug) ? [] : [{ id, slug }]));
    const column = <K extends keyof BulkProduct>(field: K): BulkProduct[K][] => after.map((product) => product[field]);
    sql.enqueue(UPDATE, {
      storeId,
      ids: column('id'),
      names: column('name'),
      slugs: column('slug'),
      metaTitles: column('metaTitle'),
      metaDescriptions: column('metaDescription'),
      categoryIds: column('categoryId'),
      statuses: column('status'),
      publishedAts: column('publishedAt'),
      now,
    });
    if (released.length > 0)
      sql.enqueue(RELEASE_SLUGS, { storeId, slugs: released.map(({ slug }) => slug), ids: released.map(({ id }) => id) });
    if (claimed.length > 0) sql.enqueue(CLAIM_SLUGS, { storeId, slugs: claimed });
    const renamed = writes.filter(({ before, after: { name } }) => before.name !== name).map((write) => write.after);
    if (renamed.length > 0)
      sql.enqueue(RENAME_SEARCH, { storeId, ids: renamed.map(({ id }) => id), names: renamed.map(({ name }) => name) });
    return Promise.resolve();
  },
});
