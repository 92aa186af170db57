import type { EventFeed, FeedReader } from '../../domain/ports/webhooks/event-feed.ts';
import { ok, type Result } from '../../domain/result.ts';
import { cursorExpired } from '../../domain/webhooks/feed.ts';
import type { FeedPlace } from '../../domain/webhooks/feed-place.ts';
import { sealCursor, type CursorSecrets } from './feed-cursors.ts';

export interface FeedSlice {
  readonly bodies: readonly string[];
  readonly next: string;
  /** True when the next request finds something without waiting. */
  readonly more: boolean;
}

export interface FeedSelection {
  readonly after: FeedPlace | 'latest' | null;
  readonly take: number;
  readonly resourceId?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export interface FeedPorts {
  readonly eventFeed: EventFeed;
  readonly secrets: CursorSecrets;
}

/**
 * Returns the events that the reader sees after a place; only the cursor for `latest`. Null where
 * the store or the installation does not exist.
 */
export const feedPage = async (
  { eventFeed, secrets }: FeedPorts,
  reader: FeedReader,
  { after, ...selection }: FeedSelection,
): Promise<Result<FeedSlice & { readonly place: FeedPlace }, 'cursor_expired'> | null> => {
  const { storeId } = reader;
  const slice = (bodies: readonly string[], place: FeedPlace, more: boolean) =>
    ok({ bodies, next: sealCursor(secrets, storeId, place), more, place });
  if (after === 'latest') {
    const place = await eventFeed.newest(storeId);
    return place === null ? null : slice([], place, false);
  }
  const page = await eventFeed.read({ ...reader, ...selection, after });
  if (page === null) return null;
  if (page.kind === 'expired') return cursorExpired(sealCursor(secrets, storeId, page.oldest), page.reason);
  return slice(page.bodies, page.next, page.more);
};
