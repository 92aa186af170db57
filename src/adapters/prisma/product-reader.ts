import { MAX_TAKE } from '../../domain/page.ts';
import type { Page } from '../../domain/page.ts';
import type { ProductFilter, ProductReader } from '../../domain/ports/product-reader.ts';
import type { Sql } from './sql.ts';
import { BEGINNING, KEPT_MOVES, ListBookmarks } from './list-bookmarks.ts';
import { PRODUCT_DOCUMENT } from './product-tables.ts';

const ITEM = `
  p.id, p.name, p.slug, p.status, p.kind, p.category_id AS "categoryId", c.name AS "categoryName", p.currency,
  p.min_price AS "minPrice", p.max_price AS "maxPrice", p.tags, p.thumbnail_url AS "thumbnailUrl", p.thumbnail_alt AS "thumbnailAlt",
  p.total_inventory AS "totalInventory", p.variant_count AS "variantCount", iso(coalesce(p.updated_at, p.created_at)) AS "updatedAt"`;

const CATEGORY = 'LEFT JOIN categories c ON c.store_id = p.store_id AND c.id = p.category_id';

const ENVELOPE = (items: string, total: string): string => `
  SELECT '{"items":' || coalesce((SELECT json_agg(i)::text FROM (SELECT ${ITEM} FROM ${items}) i), '[]')
    || ',"skip":' || $2::bigint || ',"take":' || $3::int || ',"total":' || ${total} || '}' AS text`;

/**
 * `page` names the rows' ids: the skipped ones are walked in the index alone and never read. The limit says nothing new, but to the planner,
 * which takes a tenth of the store for a page where it can't read how many it holds, and then reads the whole store.
 */
const OF_PAGE = `(SELECT * FROM page LIMIT ${MAX_TAKE}) page JOIN products p ON p.store_id = $1 AND p.id = page.id ${CATEGORY}
  ORDER BY page.created_at, page.id`;

const TOTAL = 'coalesce((SELECT product_count FROM stores WHERE id = $1), 0)';

/**
 * From a bookmark ($4 to $7) on. `text` is null where the bookmark's rank can't be told any more, or is beyond the page's beginning by
 * now; `rank`, `createdAt` and `id` are of the page's last row.
 */
const LIST = `
  WITH store AS (SELECT product_count, list_version FROM stores WHERE id = $1),
  moved AS (
    SELECT coalesce(sum(delta), 0) AS by, coalesce(bool_or(delta IS NULL), false) AS lost FROM list_moves
    WHERE store_id = $1 AND version > $4::bigint AND (created_at, product_id) < ($6::timestamptz, $7::uuid)),
  start AS (
    SELECT $2::bigint - $5::bigint - by AS skip,
      NOT lost AND $5::bigint + by <= $2::bigint AND coalesce(list_version - $4::bigint <= ${KEPT_MOVES}, true) AS known,
      coalesce(product_count, 0) AS total, coalesce(list_version, 0) AS version
    FROM moved LEFT JOIN store ON true),
  page AS MATERIALIZED (
    SELECT created_at, id FROM products WHERE store_id = $1 AND deleted_at IS NULL AND (created_at, id) >= ($6::timestamptz, $7::uuid)
    ORDER BY created_at, id
    OFFSET (SELECT greatest(skip, 0) FROM start) LIMIT (SELECT CASE WHEN known AND $2::bigint < total THEN $3::int ELSE 0 END FROM start))
  SELECT CASE WHEN known THEN (${ENVELOPE(OF_PAGE, 'start.total')}) END AS text,
    version, $2::bigint + (SELECT count(*) FROM page) - 1 AS rank, last.created_at::text AS "createdAt", last.id
  FROM start LEFT JOIN (SELECT created_at, id FROM page ORDER BY created_at DESC, id DESC LIMIT 1) last ON true`;

interface ListRow {
  readonly text: string | null;
  readonly version: string;
  readonly rank: string;
  readonly createdAt: string | null;
  readonly id: string | null;
}

/** So few are skipped that to read them costs less than to find those of the page again by their ids. */
const FEW = 50;

/** A limit that it can read tells the planner how little this is: it then plans once and not for every request (0.8 ms). */
const FIRST_PAGES = ENVELOPE(
  `(SELECT * FROM (
      SELECT * FROM products WHERE store_id = $1 AND deleted_at IS NULL ORDER BY created_at, id LIMIT ${FEW + MAX_TAKE}
    ) first OFFSET $2::bigint LIMIT $3::int) p
   ${CATEGORY} ORDER BY p.created_at, p.id`,
  TOTAL,
);

const FILTERED_LIST = `
  WITH matching AS (
    SELECT m.created_at, m.id FROM products m
    WHERE m.store_id = $1 AND m.deleted_at IS NULL
      AND ($4::text IS NULL OR m.status = $4)
      AND ($5::text IS NULL OR m.kind = $5)
      AND ($6::uuid IS NULL OR m.category_id = $6)
      AND ($7::text IS NULL OR $7 = ANY (m.tags))
      AND ($8::timestamptz IS NULL OR coalesce(m.updated_at, m.created_at) >= $8)
      AND ($9::text IS NULL OR m.name ILIKE $9 OR EXISTS (
        SELECT FROM variants v WHERE v.store_id = m.store_id AND v.product_id = m.id AND v.deleted_at IS NULL AND v.sku ILIKE $9))),
  page AS (SELECT created_at, id FROM matching ORDER BY created_at, id OFFSET $2::bigint LIMIT $3::int)
  ${ENVELOPE(OF_PAGE, '(SELECT count(*) FROM matching)')}`;

const DETAIL = `
  SELECT row_to_json(d)::text AS text FROM (
    SELECT ${PRODUCT_DOCUMENT} FROM products p WHERE p.store_id = $1 AND p.id = $2 AND p.deleted_at IS NULL) d`;

const containing = (part: string | undefined): string | null =>
  part === undefined ? null : `%${part.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;

const filterValues = (filter: ProductFilter): (string | null)[] => [
  filter.status ?? null,
  filter.kind ?? null,
  filter.categoryId ?? null,
  filter.tag ?? null,
  filter.updatedSince ?? null,
  containing(filter.q),
];

const listFrom = async (sql: Sql, storeId: string, { skip, take }: Page, bookmarks: ListBookmarks): Promise<string> => {
  for (let from = bookmarks.before(storeId, skip); ; from = BEGINNING) {
    const { version, rank, createdAt, id } = from;
    const [row] = await sql.query<ListRow>(LIST, [storeId, skip, take, version, rank, createdAt, id]);
    if (!row) throw new Error('the list gave no row');
    if (row.text === null) bookmarks.drop(storeId, from);
    else {
      if (row.createdAt !== null && row.id !== null)
        bookmarks.keep(storeId, { version: row.version, rank: Number(row.rank), createdAt: row.createdAt, id: row.id });
      return row.text;
    }
  }
};

export const productReader = (sql: Sql): ProductReader => {
  const bookmarks = new ListBookmarks();
  return {
    list: async (storeId, page, filter) => {
      const values = filterValues(filter);
      const filtered = values.some((value) => value !== null);
      if (!filtered && page.skip > FEW) return listFrom(sql, storeId, page, bookmarks);
      const [row] = await sql.query<{ text: string }>(filtered ? FILTERED_LIST : FIRST_PAGES, [
        storeId,
        page.skip,
        page.take,
        ...(filtered ? values : []),
      ]);
      if (!row) throw new Error('the list gave no row');
      return row.text;
    },
    detail: async (storeId, id) => {
      const [row] = await sql.query<{ text: string }>(DETAIL, [storeId, id]);
      return row?.text ?? null;
    },
  };
};
