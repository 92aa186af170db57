/** A product's place in its store's list: so many stand before it, as the list was at this version. */
export interface Bookmark {
  readonly version: string;
  readonly rank: number;
  /** With its id what the list is ordered by; PostgreSQL's own text of it. */
  readonly createdAt: string;
  readonly id: string;
}

/** Moves that are kept of a store's list. What is known of an older version is known no more. */
export const KEPT_MOVES = 1_000;

/** The list's beginning, where nothing moves. */
export const BEGINNING: Bookmark = {
  version: '9223372036854775807',
  rank: 0,
  createdAt: '-infinity',
  id: '00000000-0000-0000-0000-000000000000',
};

const STORES = 500;
const BOOKMARKS = 64;

/**
 * Places in the stores' lists that this node has read up to, so that a page deep in a list is found from a place near it: to skip 100,000
 * rows takes PostgreSQL longer than to read the page. Whoever uses one adds what has moved before it since, from list_moves; so a
 * page is exact, whatever came or went meanwhile and on whichever node.
 */
export class ListBookmarks {
  readonly #stores = new Map<string, Bookmark[]>();

  /** The last one up to this rank. */
  before(storeId: string, rank: number): Bookmark {
    let best = BEGINNING;
    for (const bookmark of this.#stores.get(storeId) ?? []) {
      if (bookmark.rank <= rank && bookmark.rank >= best.rank) best = bookmark;
    }
    return best;
  }

  /** The newest of so many stores are kept, and of each its newest. */
  keep(storeId: string, bookmark: Bookmark): void {
    const others = (this.#stores.get(storeId) ?? []).filter(({ rank }) => rank !== bookmark.rank).slice(1 - BOOKMARKS);
    this.#stores.delete(storeId);
    this.#stores.set(storeId, [...others, bookmark]);
    const [oldest] = this.#stores.keys();
    if (this.#stores.size > STORES && oldest !== undefined) this.#stores.delete(oldest);
  }

  /** It stands for nothing any more. */
  drop(storeId: string, bookmark: Bookmark): void {
    const bookmarks = this.#stores.get(storeId);
    if (bookmarks)
      this.#stores.set(
        storeId,
        bookmarks.filter((other) => other !== bookmark),
      );
  }
}
