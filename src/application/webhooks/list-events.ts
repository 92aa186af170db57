import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { TOO_MANY_MERCHANT_WAITING, typesForMerchant, type FeedOrder } from '../../domain/webhooks/feed.ts';
import type { FeedPlace } from '../../domain/webhooks/feed-place.ts';
import { openCursor, sealCursor } from './feed-cursors.ts';
import { feedPage, type FeedSelection, type FeedSlice } from './feed-page.ts';
import { isEmpty, waitForPage, type PlacedPage } from './wait-for-page.ts';

export interface EventQuery extends Omit<FeedSelection, 'after'> {
  readonly after?: string | undefined;
  readonly types: readonly string[];
  readonly order: FeedOrder;
  /** Seconds to wait for an event where there is none. Only in the order `oldest`. */
  readonly wait: number;
}

type Page = PlacedPage<'not_found' | 'cursor_expired'>;
type Refused = 'invalid' | 'not_found' | 'cursor_expired' | 'rate_limited';

/**
 * The feed of a store as the merchant sees it: every event, from the oldest on or from the newest
 * back. `left` is aborted when the client has left.
 */
export const listEvents =
  ({ eventFeed, feedSignal, secrets }: Pick<Ports, 'eventFeed' | 'feedSignal' | 'secrets'>) =>
  async (
    storeId: string,
    { after: cursor, types: patterns, order, wait, ...selection }: EventQuery,
    left: AbortSignal,
  ): Promise<Result<FeedSlice, Refused>> => {
    const after = openCursor(secrets, storeId, cursor);
    if (!after.ok) return after;
    const types = typesForMerchant(patterns);
    if (!types.ok) return types;
    if (order === 'newest') {
      if (wait > 0) return refuse('invalid', 'wait is for order=oldest.');
      const before = after.value === 'latest' ? null : after.value;
      const page = await eventFeed.readNewest({ ...selection, storeId, types: types.value, before });
      return page ? ok({ ...page, next: sealCursor(secrets, storeId, page.next) }) : notFound('Store');
    }
    const reader = { storeId, installationId: null, types: types.value };
    const read = async (place: FeedPlace | 'latest' | null): Promise<Page> =>
      (await feedPage({ eventFeed, secrets }, reader, { ...selection, after: place })) ?? notFound('Store');
    const page = await read(after.value);
    if (wait === 0 || after.value === 'latest' || !isEmpty(page)) return page;
    return (
      (await waitForPage(feedSignal, page.value.place, { watcher: reader, seconds: wait, left, read })) ??
      TOO_MANY_MERCHANT_WAITING
    );
  };
