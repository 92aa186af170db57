import type { ProductFilter, ProductPage, ProductReader } from '../../../domain/ports/catalogue/product-reader.ts';
import { storeKey } from '../../../domain/store-key.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import type { TransactionOptions } from '../connection/transaction-options.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { readingDocuments } from '../reading/documents.ts';
import { readingPages, type PageRow, type PageSource } from '../reading/pages.ts';
import type { ReadCache } from '../reading/read-cache.ts';
import { BEGINNING, ListBookmarks } from './list-bookmarks.ts';
import {
  BY_IDS,
  FEW,
  FILTERED,
  FIRST_PAGES,
  FROM_BOOKMARK,
  FROM_PLACE,
  ITEMS,
  SEARCHED,
  SEARCHED_AND_FILTERED,
} from './product-list-statements.ts';
import { patternValues } from '../connection/text-pattern.ts';
import { filterValues } from './product-search.ts';
import { PRODUCT_DOCUMENT } from './product-document.ts';
import { PRODUCT_VERSION, WITH_CATEGORY, WITH_TAX_CLASS } from '../reading/revision.ts';
import { StoreTurns } from '../../startup/store-turns.ts';

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

export interface ProductReaderOptions {
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
  };
};
