import type { FeedSignal, FeedWatcher } from '../../domain/ports/webhooks/feed-signal.ts';
import type { Result } from '../../domain/result.ts';
import type { FeedPlace } from '../../domain/webhooks/feed-place.ts';
import type { FeedSlice } from './feed-page.ts';

export type AwaitedPage<C extends string> = Result<FeedSlice & { readonly place: FeedPlace }, C>;

export interface Wait<C extends string> {
  readonly watcher: FeedWatcher;
  readonly seconds: number;
  readonly left: AbortSignal;
  /** Reads the feed after the place. `isWoken`: something may have changed since the last time. */
  read(after: FeedPlace, isWoken: boolean): Promise<AwaitedPage<C>>;
}

export const isEmptyPage = <C extends string>(page: AwaitedPage<C>): page is Extract<AwaitedPage<C>, { ok: true }> =>
  page.ok && page.value.bodies.length === 0 && !page.value.more;

/**
 * The first page after the place that has something, or an empty one when the time is over.
 * Meanwhile the request has no database connection. Null when too many requests of the watcher wait.
 */
export const waitForPage = async <C extends string>(
  feedSignal: Pick<FeedSignal, 'watch'>,
  place: FeedPlace,
  { watcher, seconds, left, read }: Wait<C>,
): Promise<AwaitedPage<C> | null> => {
  const watch = await feedSignal.watch(watcher, seconds, left);
  if (watch === null) return null;
  try {
    // Read again: an event may have come before the watch.
    let page = await read(place, false);
    while (isEmptyPage(page) && (await watch.changed())) page = await read(page.value.place, true);
    return page;
  } finally {
    watch.end();
  }
};
