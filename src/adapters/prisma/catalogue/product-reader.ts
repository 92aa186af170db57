import type { Page } from '../../../domain/page.ts';
import type { ProductFilter, ProductReader } from '../../../domain/ports/product-reader.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { BEGINNING, ListBookmarks } from './list-bookmarks.ts';
import { FEW, FILTERED, FIRST_PAGES, FROM_BOOKMARK, SEARCHED, SEARCHED_AND_FILTERED } from './product-list-statements.ts';
import { filterValues, patternValues } from './product-search.ts';
import { PRODUCT_DOCUMENT } from './product-document.ts';
import { SearchTurns } from './search-turns.ts';

type Searchable = Pick<Database, 'rows' | 'transaction'>;

/** Milliseconds that a search may take. */
const DEFAULT_SEARCH_TIMEOUT_MS = 2_000;

/**
 * Searches that one store runs at once on a node, of the 20 connections that the node has for
 * requests.
 */
const SEARCHES_AT_ONCE = 2;

const DETAIL = statement({
  text: `
    SELECT row_to_json(d)::text AS text FROM (
      SELECT ${PRODUCT_DOCUMENT} FROM products p WHERE p.store_id = $storeId AND p.id = $id AND p.deleted_at IS NULL) d`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: { text: 'text' },
});

interface TextRow {
  readonly text: string;
}

const textOf = ([row]: readonly TextRow[]): string => {
  if (!row) throw new Error('The list gave no row');
  return row.text;
};

const isEmpty = (filters: object): boolean => Object.values(filters).every((value) => value === null);

interface Search {
  readonly storeId: string;
  readonly page: Page;
  readonly filter: ProductFilter;
  readonly statementTimeoutMs: number;
}

/**
 * Null when it takes longer than its timeout. How many rows match the text decides whether the
 * index helps.
 */
const search = async (database: Searchable, { storeId, page, filter, statementTimeoutMs }: Search): Promise<string | null> => {
  const { q = '', ...others } = filter;
  const filters = filterValues(others);
  const parameters = { storeId, skip: page.skip, take: page.take, ...patternValues(q) };
  try {
    return await database.transaction(
      async (sql) =>
        textOf(
          await (isEmpty(filters)
            ? sql.rows(SEARCHED, parameters)
            : sql.rows(SEARCHED_AND_FILTERED, { ...parameters, ...filters })),
        ),
      { statementTimeoutMs, planEachTime: true },
    );
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
};

const listFrom = async (
  sql: Pick<Sql, 'rows'>,
  storeId: string,
  { skip, take }: Page,
  bookmarks: ListBookmarks,
): Promise<string> => {
  for (let from = bookmarks.before(storeId, skip); ; from = BEGINNING) {
    const [row] = await sql.rows(FROM_BOOKMARK, { storeId, skip, take, ...from });
    if (!row) throw new Error('The list gave no row');
    if (row.text === null) bookmarks.drop(storeId, from);
    else {
      if (row.createdAt !== null && row.id !== null)
        bookmarks.keep(storeId, { version: row.version, rank: Number(row.rank), createdAt: row.createdAt, id: row.id });
      return row.text;
    }
  }
};

export const productReader = (database: Searchable, searchTimeoutMs = DEFAULT_SEARCH_TIMEOUT_MS): ProductReader => {
  const bookmarks = new ListBookmarks();
  const turns = new SearchTurns(SEARCHES_AT_ONCE, searchTimeoutMs);
  return {
    list: async (storeId, page, filter) => {
      if (filter.q !== undefined)
        return turns.run(storeId, () => search(database, { storeId, page, filter, statementTimeoutMs: searchTimeoutMs }));
      const filters = filterValues(filter);
      const { skip, take } = page;
      if (!isEmpty(filters)) return textOf(await database.rows(FILTERED, { storeId, skip, take, ...filters }));
      if (skip > FEW) return listFrom(database, storeId, page, bookmarks);
      return textOf(await database.rows(FIRST_PAGES, { storeId, skip, take }));
    },
    detail: async (storeId, id) => {
      const [row] = await database.rows(DETAIL, { storeId, id });
      return row?.text ?? null;
    },
  };
};
