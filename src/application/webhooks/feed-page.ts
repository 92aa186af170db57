import type { EventFeed, FeedReader } from '../../domain/ports/event-feed.ts';
import { ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { formatCursor } from '../../domain/webhooks/feed-cursor.ts';
import { cursorExpired } from '../../domain/webhooks/feed.ts';

/** A page of the feed, as its reader gets it. */
export interface FeedSlice {
  /** The frozen bodies: JSON, as every delivery has it. */
  readonly bodies: readonly string[];
  /** The cursor for the next request. */
  readonly next: string;
  /** Whether the next request finds something without waiting. */
  readonly more: boolean;
}

export interface FeedSelection {
  readonly after: number | 'latest' | null;
  readonly take: number;
  readonly resourceId?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * What the reader sees of the feed after a position; nothing but the cursor for `latest`. Null where
 * the store or the installation does not exist.
 */
export const feedPage = async (
  feed: EventFeed,
  reader: FeedReader,
  { after, ...selection }: FeedSelection,
): Promise<Result<FeedSlice & { readonly position: number }, 'cursor_expired'> | null> => {
  const { storeId } = reader;
  if (after === 'latest') {
    const position = await feed.newest(storeId);
    return position === null ? null : ok({ bodies: [], next: formatCursor(storeId, position), more: false, position });
  }
  const page = await feed.read({ ...reader, ...selection, after });
  if (page === null) return null;
  if (page.kind === 'expired') return cursorExpired(storeId, page.oldest);
  return ok({ bodies: page.bodies, next: formatCursor(storeId, page.next), more: page.more, position: page.next });
};
