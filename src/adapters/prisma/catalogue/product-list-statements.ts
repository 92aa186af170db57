import { MAX_TAKE } from '../../../domain/page.ts';
import { statement } from '../connection/statement.ts';
import { KEPT_MOVES } from './list-bookmarks.ts';
import {
  FILTER_PARAMETERS,
  MATCHING_TEXT,
  MATCHING_TEXT_AMONG,
  MATCHING_TEXT_AND_FILTERS,
  OTHER_FILTERS,
} from './product-search.ts';
import { PATTERN_PARAMETERS } from '../connection/text-pattern.ts';
import { ITEM_VERSION, WITH_CATEGORY } from '../reading/revision.ts';

const PAGE_PARAMETERS = { storeId: 'uuid', skip: 'int8', take: 'int4' } as const;

/** `entries`: the id and the version of each product of the page, with commas between them. */
const PAGE_COLUMNS = { total: 'int8', entries: 'text?' } as const;

/** `next`: the time and the id of the page's last product where the list continues behind it. */
const PLACED_COLUMNS = { ...PAGE_COLUMNS, next: 'text?' } as const;
/** Null for a page that names no place. */
const PLACE_PARAMETERS = { ...PAGE_PARAMETERS, afterAt: 'timestamptz?', afterId: 'uuid?' } as const;

/** Returns one text: node-postgres takes 20 times as long to read rows. */
const entriesOf = (products: string): string => `
  (SELECT string_agg(concat(id, version), ',') FROM (SELECT p.id, ${ITEM_VERSION} AS version FROM ${products}) i) AS entries`;

/**
 * `page` names the ids of the rows: the skipped ones are walked in the index and never read. The
 * limit changes nothing but the plan. Without it the planner expects a tenth of the store where it
 * can't read the page's size, and reads the whole store.
 */
const PRODUCTS_OF_PAGE = `(SELECT * FROM page LIMIT ${MAX_TAKE}) page
  JOIN products p ON p.store_id = $storeId AND p.id = page.id ${WITH_CATEGORY} ORDER BY page.created_at, page.id`;

/**
 * The page that begins near a bookmark. `total` is null where the bookmark's rank is no longer
 * known, or is now beyond the beginning of the page. After a failover, a restore or an import, versions may
 * be given again, so a bookmark is known in its epoch alone. `rank`, `createdAt` and `id` are those of the
 * last row.
 */
export const FROM_BOOKMARK = statement({
  text: `
    WITH store AS (SELECT product_count, list_version FROM stores WHERE id = $storeId),
    newest AS (SELECT id AS epoch FROM epochs ORDER BY number DESC LIMIT 1),
    moved AS (
      SELECT coalesce(sum(delta), 0) AS by, coalesce(bool_or(delta IS NULL), false) AS lost FROM list_moves
      WHERE store_id = $storeId AND version > $version::bigint AND (created_at, product_id) < ($createdAt::timestamptz, $id::uuid)),
    start AS (
      SELECT $skip::bigint - $rank::bigint - by AS skip,
        NOT lost AND $rank::bigint + by <= $skip::bigint AND coalesce(list_version - $version::bigint <= ${KEPT_MOVES}, true)
          AND ($epoch::uuid IS NULL OR $epoch = epoch) AS known,
        coalesce(product_count, 0) AS total, coalesce(list_version, 0) AS version, epoch
      FROM moved LEFT JOIN store ON true LEFT JOIN newest ON true),
    page AS MATERIALIZED (
      SELECT created_at, id FROM products
      WHERE store_id = $storeId AND deleted_at IS NULL AND (created_at, id) >= ($createdAt::timestamptz, $id::uuid)
      ORDER BY created_at, id
      OFFSET (SELECT greatest(skip, 0) FROM start) LIMIT (SELECT CASE WHEN known AND $skip::bigint < total THEN $take::int ELSE 0 END FROM start))
    SELECT CASE WHEN known THEN total END::bigint AS total, ${entriesOf(PRODUCTS_OF_PAGE)},
      epoch, version, $skip::bigint + (SELECT count(*) FROM page) - 1 AS rank, last.created_at::text AS "createdAt", last.id
    FROM start LEFT JOIN (SELECT created_at, id FROM page ORDER BY created_at DESC, id DESC LIMIT 1) last ON true`,
  parameters: { ...PAGE_PARAMETERS, epoch: 'uuid?', version: 'int8', rank: 'int8', createdAt: 'timestamptz', id: 'uuid' },
  row: { ...PAGE_COLUMNS, total: 'int8?', epoch: 'uuid?', version: 'int8', rank: 'int8', createdAt: 'text?', id: 'uuid?' },
});

/**
 * Reading up to this many skipped rows costs less than finding the rows of the page again by their
 * ids.
 */
export const FEW = 50;

/**
 * The constant limit tells the planner how small this is, so it plans once and not for each request
 * (0.8 ms).
 */
export const FIRST_PAGES = statement({
  text: `
    SELECT coalesce((SELECT product_count FROM stores WHERE id = $storeId), 0)::bigint AS total, ${entriesOf(
      `(SELECT * FROM (
        SELECT * FROM products WHERE store_id = $storeId AND deleted_at IS NULL ORDER BY created_at, id LIMIT ${FEW + MAX_TAKE}
      ) first OFFSET $skip::bigint LIMIT $take::int) p
     ${WITH_CATEGORY} ORDER BY p.created_at, p.id`,
    )}`,
  parameters: PAGE_PARAMETERS,
  row: PAGE_COLUMNS,
});

/** `walked` has one product more than the page where the list continues. */
const PAGE_OF_WALKED = 'page AS MATERIALIZED (SELECT * FROM walked ORDER BY created_at, id LIMIT $take::int)';
const NEXT = `CASE WHEN (SELECT count(*) FROM walked) > $take::int
  THEN (SELECT concat(iso(created_at), ' ', id) FROM page ORDER BY created_at DESC, id DESC LIMIT 1) END AS next`;

const pageOf = (matching: string): string => `
  WITH matching AS (${matching}),
  walked AS MATERIALIZED (
    SELECT created_at, id FROM matching
    WHERE $afterAt::timestamptz IS NULL OR (created_at, id) > ($afterAt, $afterId::uuid)
    ORDER BY created_at, id OFFSET $skip::bigint LIMIT $take::int + 1),
  ${PAGE_OF_WALKED}
  SELECT (SELECT count(*) FROM matching) AS total, ${entriesOf(PRODUCTS_OF_PAGE)}, ${NEXT}`;

/** The page behind a place, which the index has. */
export const FROM_PLACE = statement({
  text: `
    WITH walked AS MATERIALIZED (
      SELECT created_at, id FROM products
      WHERE store_id = $storeId AND deleted_at IS NULL AND (created_at, id) > ($afterAt::timestamptz, $afterId::uuid)
      ORDER BY created_at, id OFFSET $skip::bigint LIMIT $take::int + 1),
    ${PAGE_OF_WALKED}
    SELECT coalesce((SELECT product_count FROM stores WHERE id = $storeId), 0)::bigint AS total,
      ${entriesOf(PRODUCTS_OF_PAGE)}, ${NEXT}`,
  parameters: PLACE_PARAMETERS,
  row: PLACED_COLUMNS,
});

export const FILTERED = statement({
  text: pageOf(
    `SELECT m.created_at, m.id FROM products m WHERE m.store_id = $storeId AND m.deleted_at IS NULL AND ${OTHER_FILTERS}`,
  ),
  parameters: { ...PLACE_PARAMETERS, ...FILTER_PARAMETERS },
  row: PLACED_COLUMNS,
});

/** Few by their number, so that `q` needs no index and no time limit. */
export const BY_IDS = statement({
  text: pageOf(
    `SELECT m.created_at, m.id FROM products m
     WHERE m.store_id = $storeId AND m.id = ANY ($ids) AND m.deleted_at IS NULL AND ${OTHER_FILTERS}
       AND ($name::text IS NULL OR m.id IN (${MATCHING_TEXT_AMONG}))`,
  ),
  parameters: { ...PLACE_PARAMETERS, ids: 'uuid[]', name: 'text?', sku: 'text?', ...FILTER_PARAMETERS },
  row: PLACED_COLUMNS,
});

export const SEARCHED = statement({
  text: pageOf(MATCHING_TEXT),
  parameters: { ...PLACE_PARAMETERS, ...PATTERN_PARAMETERS },
  row: PLACED_COLUMNS,
});

export const SEARCHED_AND_FILTERED = statement({
  text: pageOf(MATCHING_TEXT_AND_FILTERS),
  parameters: { ...PLACE_PARAMETERS, ...PATTERN_PARAMETERS, ...FILTER_PARAMETERS },
  row: PLACED_COLUMNS,
});

export const ITEMS = statement({
  text: `
    SELECT p.id, ${ITEM_VERSION} AS version, (SELECT row_to_json(i)::text FROM (SELECT
      p.id, p.name, p.slug, p.status, p.kind, p.category_id AS "categoryId", c.name AS "categoryName", p.currency,
      p.min_price AS "minPrice", p.max_price AS "maxPrice", p.tags, p.thumbnail_url AS "thumbnailUrl", p.thumbnail_alt AS "thumbnailAlt",
      p.total_inventory AS "totalInventory", p.variant_count AS "variantCount", iso(coalesce(p.updated_at, p.created_at)) AS "updatedAt"
    ) i) AS text
    FROM products p ${WITH_CATEGORY} WHERE p.store_id = $storeId AND p.id = ANY ($ids)`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid', version: 'text', text: 'text' },
});
