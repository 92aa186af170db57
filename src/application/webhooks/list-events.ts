import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { parseAfter, typesForMerchant } from '../../domain/webhooks/feed.ts';
import type { FeedOrder } from '../../domain/webhooks/feed.ts';
import { formatCursor } from '../../domain/webhooks/feed-cursor.ts';
import { feedPage } from './feed-page.ts';
import type { FeedSelection, FeedSlice } from './feed-page.ts';

export interface EventQuery extends Omit<FeedSelection, 'after'> {
  readonly after?: string | undefined;
  readonly types: readonly string[];
  readonly order: FeedOrder;
}

/** The feed of a store as the merchant sees it: every event, from the oldest on or from the newest back. */
export const listEvents =
  ({ eventFeed }: Pick<Ports, 'eventFeed'>) =>
  async (
    storeId: string,
    { after: cursor, types: patterns, order, ...selection }: EventQuery,
  ): Promise<Result<FeedSlice, 'invalid' | 'not_found' | 'cursor_expired'>> => {
    const after = parseAfter(storeId, cursor);
    if (!after.ok) return after;
    const types = typesForMerchant(patterns);
    if (!types.ok) return types;
    if (order === 'newest') {
      const before = after.value === 'latest' ? null : after.value;
      const page = await eventFeed.readNewest({ ...selection, storeId, types: types.value, before });
      return page ? ok({ ...page, next: formatCursor(storeId, page.next) }) : notFound('Store');
    }
    const reader = { storeId, installationId: null, types: types.value };
    return (await feedPage(eventFeed, reader, { ...selection, after: after.value })) ?? notFound('Store');
  };
