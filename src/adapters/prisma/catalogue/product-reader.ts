import { MAX_TAKE } from '../../../domain/page.ts';
import type { ProductFilter, ProductPage, ProductReader } from '../../../domain/ports/catalogue/product-reader.ts';
import { storeKey, type StoreKey } from '../../../domain/store-key.ts';
import { StoreTurns } from '../../startup/store-turns.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { PATTERN_PARAMETERS, patternValues } from '../connection/text-pattern.ts';
import type { TransactionOptions } from '../connection/transaction-options.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { readingDocuments, tagOf } from '../reading/documents.ts';
import { readingPages, type PageRow, type PageSource } from '../reading/pages.ts';
import type { ReadCache } from '../reading/read-cache.ts';
import { ITEM_VERSION, WITH_CATEGORY, PRODUCT_VERSION, WITH_TAX_CLASS } from '../reading/revision.ts';
import { KEPT_MOVES, BEGINNING, ListBookmarks } from './list-bookmarks.ts';
import { PRODUCT_DOCUMENT } from './product-document.ts';
import {
  FILTER_PARAMETERS,
  MATCHING_TEXT,
  MATCHING_TEXT_AMONG,
  MATCHING_TEXT_AND_FILTERS,
  OTHER_FILTERS,
  filterValues,
} from './product-search.ts';

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
const FROM_BOOKMARK = statement({
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
const FEW = 50;

/**
 * The constant limit tells the planner how small this is, so it plans once and not for each request
 * (0.8 ms).
 */
const FIRST_PAGES = statement({
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

const pageText = (matching: string): string => `
  WITH matching AS (${matching}),
  walked AS MATERIALIZED (
    SELECT created_at, id FROM matching
    WHERE $afterAt::timestamptz IS NULL OR (created_at, id) > ($afterAt, $afterId::uuid)
    ORDER BY created_at, id OFFSET $skip::bigint LIMIT $take::int + 1),
  ${PAGE_OF_WALKED}
  SELECT (SELECT count(*) FROM matching) AS total, ${entriesOf(PRODUCTS_OF_PAGE)}, ${NEXT}`;

/** The page behind a place, which the index has. */
const FROM_PLACE = statement({
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

const FILTERED = statement({
  text: pageText(
    `SELECT m.created_at, m.id FROM products m WHERE m.store_id = $storeId AND m.deleted_at IS NULL AND ${OTHER_FILTERS}`,
  ),
  parameters: { ...PLACE_PARAMETERS, ...FILTER_PARAMETERS },
  row: PLACED_COLUMNS,
});

/** Few by their number, so that `q` needs no index and no time limit. */
const BY_IDS = statement({
  text: pageText(
    `SELECT m.created_at, m.id FROM products m
     WHERE m.store_id = $storeId AND m.id = ANY ($ids) AND m.deleted_at IS NULL AND ${OTHER_FILTERS}
       AND ($name::text IS NULL OR m.id IN (${MATCHING_TEXT_AMONG}))`,
  ),
  parameters: { ...PLACE_PARAMETERS, ids: 'uuid[]', name: 'text?', sku: 'text?', ...FILTER_PARAMETERS },
  row: PLACED_COLUMNS,
});

const SEARCHED = statement({
  text: pageText(MATCHING_TEXT),
  parameters: { ...PLACE_PARAMETERS, ...PATTERN_PARAMETERS },
  row: PLACED_COLUMNS,
});

const SEARCHED_AND_FILTERED = statement({
  text: pageText(MATCHING_TEXT_AND_FILTERS),
  parameters: { ...PLACE_PARAMETERS, ...PATTERN_PARAMETERS, ...FILTER_PARAMETERS },
  row: PLACED_COLUMNS,
});

const ITEMS = statement({
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

type Searchable = Pick<Database, 'rows' | 'transaction' | 'pipeline'>;
type Rows = Pick<Sql, 'rows'>;

const DEFAULT_SEARCH_TIMEOUT_MS = 2_000;

/**
 * Searches that one store runs at once in a process, of the 20 connections that the process has for
 * requests.
 */
const SEARCHES_AT_ONCE = 2;

const DETAIL = statement({
  text: `
    SELECT ${PRODUCT_VERSION} AS version, (SELECT row_to_json(d)::text FROM (SELECT ${PRODUCT_DOCUMENT}) d) AS text
    FROM products p ${WITH_CATEGORY} ${WITH_TAX_CLASS} WHERE p.store_id = $storeId AND p.id = $id AND p.deleted_at IS NULL`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: { version: 'text', text: 'text' },
});

const DOCUMENTS = statement({
  text: `
    SELECT id, CASE WHEN bytes <= $maxBytes THEN text END AS text FROM (
      SELECT p.id, d.text, sum(octet_length(d.text)) OVER (ORDER BY p.id) AS bytes
      FROM products p ${WITH_CATEGORY} ${WITH_TAX_CLASS}
        CROSS JOIN LATERAL (SELECT row_to_json(d)::text AS text FROM (SELECT ${PRODUCT_DOCUMENT}) d) d
      WHERE p.store_id = $storeId AND p.id = ANY ($ids) AND p.deleted_at IS NULL
    ) rendered`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', maxBytes: 'int8' },
  row: { id: 'uuid', text: 'text?' },
});

/** The entity tag of a product in this version. */
export const productTag = (key: StoreKey, version: string): string => tagOf(DETAIL.name, key, version);

const only = <Row>([row]: readonly Row[]): Row => {
  if (!row) throw new Error('The list gave no row');
  return row;
};

/** Before every place. */
const FIRST_PLACE = { afterAt: BEGINNING.createdAt, afterId: BEGINNING.id };

/** The parameters of a page whose statement may begin behind a place. */
const placed = (storeId: string, { skip, take, after }: ProductPage) => {
  const place = after === null ? FIRST_PLACE : { afterAt: after?.createdAt ?? null, afterId: after?.id ?? null };
  return { storeId, skip, take, ...place };
};

const named = (storeId: string, page: ProductPage, { ids = [], q, ...others }: ProductFilter): PageOn => {
  const patterns = q === undefined ? { name: null, sku: null } : patternValues(q);
  const parameters = { ...placed(storeId, page), ids, ...patterns, ...filterValues(others) };
  return async (sql) => only(await sql.rows(BY_IDS, parameters));
};

const isEmpty = (filters: object): boolean => Object.values(filters).every((value) => value === null);

/** Reads the page on a connection: any, or that of a transaction. */
type PageOn = (sql: Rows) => Promise<PageRow>;

const searched = (storeId: string, page: ProductPage, { q = '', ...others }: ProductFilter): PageOn => {
  const filters = filterValues(others);
  const parameters = { ...placed(storeId, page), ...patternValues(q) };
  return async (sql) =>
    only(
      await (isEmpty(filters) ? sql.rows(SEARCHED, parameters) : sql.rows(SEARCHED_AND_FILTERED, { ...parameters, ...filters })),
    );
};

const fromBookmark =
  (storeId: string, { skip, take }: ProductPage, bookmarks: ListBookmarks): PageOn =>
  async (sql) => {
    const store = storeKey(storeId);
    for (let from = bookmarks.before(store, skip); ; from = BEGINNING) {
      const { total, ...row } = only(await sql.rows(FROM_BOOKMARK, { storeId, skip, take, ...from }));
      if (total === null) bookmarks.drop(store, from);
      else {
        if (row.createdAt !== null && row.id !== null)
          bookmarks.keep(store, {
            epoch: row.epoch,
            version: row.version,
            rank: Number(row.rank),
            createdAt: row.createdAt,
            id: row.id,
          });
        return { total, entries: row.entries };
      }
    }
  };

const itemsOn =
  (sql: Rows, storeId: string): PageSource['items'] =>
  (ids) =>
    sql.rows(ITEMS, { storeId, ids });

/** First source of the page, and its source in a transaction. */
interface Source {
  readonly storeId: string;
  readonly pageOn: PageOn;
  readonly first: () => Promise<PageRow>;
  readonly options?: TransactionOptions;
}

const sourceOf = (database: Searchable, { storeId, pageOn, first, options }: Source): PageSource => ({
  page: first,
  items: itemsOn(database, storeId),
  snapshot: (read) =>
    database.transaction((sql) => read({ page: () => pageOn(sql), items: itemsOn(sql, storeId) }), {
      ...options,
      snapshot: true,
    }),
});

interface ProductReaderOptions {
  readonly cache: ReadCache;
  readonly searchTimeoutMs?: number | undefined;
}

export const productReader = (database: Searchable, options: ProductReaderOptions): ProductReader => {
  const { cache, searchTimeoutMs = DEFAULT_SEARCH_TIMEOUT_MS } = options;
  const bookmarks = new ListBookmarks();
  const turns = new StoreTurns(SEARCHES_AT_ONCE, searchTimeoutMs);
  const readPage = readingPages(cache, 'items', ITEMS.name);
  const readDetail = readingDocuments(cache, 'products', DETAIL.name);

  /** The number of matching rows decides whether the index helps. */
  const searching = { statementTimeoutMs: searchTimeoutMs, planEachTime: true };
  const search = (storeId: string, page: ProductPage, filter: ProductFilter): PageSource => {
    const pageOn = searched(storeId, page, filter);
    return sourceOf(database, { storeId, pageOn, first: () => database.transaction(pageOn, searching), options: searching });
  };

  const walk = (storeId: string, page: ProductPage, filter: ProductFilter): PageSource => {
    const filters = filterValues(filter);
    const { skip, take } = page;
    const from = (sql: Rows, pageOn: PageOn) => sourceOf(database, { storeId, pageOn, first: () => pageOn(sql) });
    if (filter.ids !== undefined) return from(database, named(storeId, page, filter));
    if (!isEmpty(filters))
      return from(database, async (sql) => only(await sql.rows(FILTERED, { ...placed(storeId, page), ...filters })));
    if (page.after !== undefined) return from(database, async (sql) => only(await sql.rows(FROM_PLACE, placed(storeId, page))));
    if (skip > FEW) return from(database, fromBookmark(storeId, page, bookmarks));
    return from(database.pipeline, async (sql) => only(await sql.rows(FIRST_PAGES, { storeId, skip, take })));
  };

  return {
    list: async (storeId, page, filter, reading) => {
      if (filter.q === undefined || filter.ids !== undefined)
        return readPage(storeId, page, walk(storeId, page, filter), reading);
      try {
        return await turns.run(storeKey(storeId), () => readPage(storeId, page, search(storeId, page, filter), reading));
      } catch (error) {
        if (isTimeout(error)) return null;
        throw error;
      }
    },
    detail: (storeId, id, reading) =>
      readDetail(storeKey(storeId, id), reading, async () => (await database.rows(DETAIL, { storeId, id }))[0] ?? null),
    documents: async (storeId, ids, maxBytes) =>
      new Map((await database.rows(DOCUMENTS, { storeId, ids, maxBytes })).map(({ id, text }) => [id, text])),
  };
};
