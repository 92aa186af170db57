import type { StoreKey } from '../../../domain/store-key.ts';

export interface Bookmark {
  /** The id of the newest epoch when it was read. In another one versions may have been given again. */
  readonly epoch: string | null;
  readonly version: string;
  readonly rank: number;
  /** The list is ordered by this and by the id. PostgreSQL's text of the time. */
  readonly createdAt: string;
  readonly id: string;
}

/** Moves that are kept of a store's list. Bookmarks of an older version are lost. */
export const KEPT_MOVES = 1_000;

/** The beginning of every list, which no move and no epoch changes. */
export const BEGINNING: Bookmark = {
  epoch: null,
  version: '9223372036854775807',
  rank: 0,
  createdAt: '-infinity',
  id: '00000000-0000-0000-0000-000000000000',
};

const STORES = 500;
const BOOKMARKS = 64;

/**
 * The places up to which this node has read the stores' lists. A page deep in a list is found from
 * a place near it, since PostgreSQL takes longer to skip 100,000 rows than to read the page. A
 * reader adds the moves before the place since then, from list_moves. So a page is exact, even
 * after another node has changed the list.
 *
 * What it buys (docs/scaling.md): a page of 250 in a walk through a million products takes 7 ms, the
 * last like the first, and a page at a random place of 100,000 takes 2.5 ms. By OFFSET each skipped
 * product costs 0.1 to 0.2 us: 100 to 200 ms for a page at the end of a million, and minutes for the
 * walk. It costs each change of the list one row of list_moves, behind the statement that counts it.
 */
export class ListBookmarks {
  readonly #stores = new Map<StoreKey, Bookmark[]>();

  before(store: StoreKey, rank: number): Bookmark {
    let best = BEGINNING;
    for (const bookmark of this.#stores.get(store) ?? []) {
      if (bookmark.rank <= rank && bookmark.rank >= best.rank) best = bookmark;
    }
    return best;
  }

  keep(store: StoreKey, bookmark: Bookmark): void {
    const others = (this.#stores.get(store) ?? []).filter(({ rank }) => rank !== bookmark.rank).slice(1 - BOOKMARKS);
    this.#stores.delete(store);
    this.#stores.set(store, [...others, bookmark]);
    const [oldest] = this.#stores.keys();
    if (this.#stores.size > STORES && oldest !== undefined) this.#stores.delete(oldest);
  }

  /** Forgets a bookmark whose rank is no longer known. */
  drop(store: StoreKey, bookmark: Bookmark): void {
    const bookmarks = this.#stores.get(store);
    if (bookmarks)
      this.#stores.set(
        store,
        bookmarks.filter((other) => other !== bookmark),
      );
  }
}
