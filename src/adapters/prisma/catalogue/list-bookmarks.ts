/** A product's place in its store's list at this version: `rank` products come before it. */
export interface Bookmark {
  readonly version: string;
  readonly rank: number;
  /** The list is ordered by this and by the id. PostgreSQL's text of the time. */
  readonly createdAt: string;
  readonly id: string;
}

/** Moves that are kept of a store's list. Bookmarks of an older version are lost. */
export const KEPT_MOVES = 1_000;

/** The beginning of every list, which no move changes. */
export const BEGINNING: Bookmark = {
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
 */
export class ListBookmarks {
  readonly #stores = new Map<string, Bookmark[]>();

  /** The last bookmark up to this rank. */
  before(storeId: string, rank: number): Bookmark {
    let best = BEGINNING;
    for (const bookmark of this.#stores.get(storeId) ?? []) {
      if (bookmark.rank <= rank && bookmark.rank >= best.rank) best = bookmark;
    }
    return best;
  }

  /** Keeps the newest bookmarks of the stores that were read last. */
  keep(storeId: string, bookmark: Bookmark): void {
    const others = (this.#stores.get(storeId) ?? []).filter(({ rank }) => rank !== bookmark.rank).slice(1 - BOOKMARKS);
    this.#stores.delete(storeId);
    this.#stores.set(storeId, [...others, bookmark]);
    const [oldest] = this.#stores.keys();
    if (this.#stores.size > STORES && oldest !== undefined) this.#stores.delete(oldest);
  }

  /** Forgets a bookmark whose rank is no longer known. */
  drop(storeId: string, bookmark: Bookmark): void {
    const bookmarks = this.#stores.get(storeId);
    if (bookmarks)
      this.#stores.set(
        storeId,
        bookmarks.filter((other) => other !== bookmark),
      );
  }
}
