import { MAX_TAKE } from '../../../domain/page.ts';
import type { Page } from '../../../domain/page.ts';
import type { ProductFilter, ProductReader } from '../../../domain/ports/product-reader.ts';
import type { Sql } from '../connection/sql.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { BEGINNING, KEPT_MOVES, ListBookmarks } from './list-bookmarks.ts';
import type { Database } from '../connection/database.ts';
import { MATCHING_TEXT, MATCHING_TEXT_AND_FILTERS, otherFilters, otherValues, patterns } from './product-search.ts';
import { PRODUCT_DOCUMENT } from './product-tables.ts';
import { SearchTurns } from './search-turns.ts';

type Searchable = Pick<Database, 'query' | 'transaction'>;

/** Milliseconds that a search may take. */
const DEFAULT_SEARCH_TIMEOUT_MS = 2_000;

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

interface TextRow {
  readonly text: string;
}

const textOf = ([row]: readonly TextRow[]): string => {
  if (!row) throw new Error('the list gave no row');
  return row.text;
};

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

const filteredList = (matching: string): string => `
  WITH matching AS (${matching}),
  page AS (SELECT created_at, id FROM matching ORDER BY created_at, id OFFSET $2::bigint LIMIT $3::int)
  ${ENVELOPE(OF_PAGE, '(SELECT count(*) FROM matching)')}`;

const FILTERED_LIST = filteredList(
  `SELECT m.created_at, m.id FROM products m WHERE m.store_id = $1 AND m.deleted_at IS NULL AND ${otherFilters(4)}`,
);
const SEARCH = filteredList(MATCHING_TEXT);
const FILTERED_SEARCH = filteredList(MATCHING_TEXT_AND_FILTERS);

const DETAIL = `
  SELECT row_to_json(d)::text AS text FROM (
    SELECT ${PRODUCT_DOCUMENT} FROM products p WHERE p.store_id = $1 AND p.id = $2 AND p.deleted_at IS NULL) d`;

/** Null when it takes longer than its timeout. Planned for its own text: how many rows have it decides whether the index helps. */
const search = async (
  database: Searchable,
  storeId: string,
  { skip, take }: Page,
  { q = '', ...others }: ProductFilter,
  statementTimeoutMs: number,
): Promise<string | null> => {
  const values = otherValues(others);
  const filtered = values.some((value) => value !== null);
  try {
    return await database.transaction(
      async (sql) => {
        await sql.send(`SELECT set_config('plan_cache_mode', 'force_custom_plan', true)`);
        const parameters = [storeId, skip, take, ...patterns(q), ...(filtered ? values : [])];
        return textOf(await sql.query<TextRow>(filtered ? FILTERED_SEARCH : SEARCH, parameters));
      },
      { statementTimeoutMs },
    );
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
};

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

/** Searches that one store runs at once on a node, of the 20 connections that it has for requests. */
const SEARCHES_AT_ONCE = 2;

export const productReader = (database: Searchable, searchTimeoutMs = DEFAULT_SEARCH_TIMEOUT_MS): ProductReader => {
  const bookmarks = new ListBookmarks();
  const turns = new SearchTurns(SEARCHES_AT_ONCE, searchTimeoutMs);
  return {
    list: async (storeId, page, filter) => {
      if (filter.q !== undefined) return turns.run(storeId, () => search(database, storeId, page, filter, searchTimeoutMs));
      const values = otherValues(filter);
      const filtered = values.some((value) => value !== null);
      if (!filtered && page.skip > FEW) return listFrom(database, storeId, page, bookmarks);
      const parameters = [storeId, page.skip, page.take, ...(filtered ? values : [])];
      return textOf(await database.query<TextRow>(filtered ? FILTERED_LIST : FIRST_PAGES, parameters));
    },
    detail: async (storeId, id) => {
      const [row] = await database.query<TextRow>(DETAIL, [storeId, id]);
      return row?.text ?? null;
    },
  };
};
