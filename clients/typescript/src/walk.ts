/** The most that a page of any list has. */
export const TAKE = 250;

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/**
 * A list, page by page. Each page begins with the last item of the page before. Where it does not,
 * items were deleted in the meantime and the rest has moved towards the start: the walk steps back
 * until it finds an item that it knows, so that it misses none.
 */
export async function* walk<T>(read: (skip: number) => Promise<Page<T>>, idOf: (item: T) => string): AsyncGenerator<T, void> {
  let known = new Set<string>();
  let position = 0;
  do {
    let skip = Math.max(0, position - 1);
    let page = await read(skip);
    const lastKnown = (): number => page.items.findLastIndex((item) => known.has(idOf(item)));
    while (skip > 0 && lastKnown() < 0) {
      skip = Math.max(0, skip - TAKE + 1);
      page = await read(skip);
    }
    yield* page.items.slice(lastKnown() + 1);
    known = new Set(page.items.map(idOf));
    position = skip + page.items.length;
    if (position >= page.total) return;
  } while (known.size > 0);
}
