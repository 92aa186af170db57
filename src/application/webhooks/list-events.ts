import type { Ports } from '../../domain/ports/index.ts';
import { notFound } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { parseAfter, typesForMerchant } from '../../domain/webhooks/feed.ts';
import { feedPage } from './feed-page.ts';
import type { FeedSelection, FeedSlice } from './feed-page.ts';

export interface EventQuery extends Omit<FeedSelection, 'after'> {
  readonly after?: string | undefined;
  readonly types: readonly string[];
}

/** The feed of a store as the merchant sees it: every event. */
export const listEvents =
  ({ eventFeed }: Pick<Ports, 'eventFeed'>) =>
  async (
    storeId: string,
    { after: cursor, types: patterns, ...selection }: EventQuery,
  ): Promise<Result<FeedSlice, 'invalid' | 'not_found' | 'cursor_expired'>> => {
    const after = parseAfter(storeId, cursor);
    if (!after.ok) return after;
    const types = typesForMerchant(patterns);
    if (!types.ok) return types;
    const reader = { storeId, installationId: null, types: types.value };
    return (await feedPage(eventFeed, reader, { ...selection, after: after.value })) ?? notFound('Store');
  };
