import { SecretUnopened } from '../../domain/ports/secrets.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Result } from '../../domain/result.ts';
import { formatCursor, formatFirstCursor, packPlace, parseCursor, unpackPlace } from '../../domain/webhooks/feed-cursor.ts';
import { BROKEN_CURSOR } from '../../domain/webhooks/feed.ts';
import { UNKNOWN_PLACE, type FeedPlace } from '../../domain/webhooks/feed-place.ts';

export type CursorSecrets = Pick<Ports['secrets'], 'seal' | 'open'>;

const contextOf = (storeId: string): string => `feed ${storeId}`;

export const sealCursor = (secrets: CursorSecrets, storeId: string, place: FeedPlace): string =>
  place.isFirst === true
    ? formatFirstCursor(storeId, place.position)
    : formatCursor(secrets.seal(packPlace(place), contextOf(storeId)));

/** Null where the text is broken, or a cursor of another store. */
const opened = (secrets: CursorSecrets, storeId: string, sealed: string): FeedPlace | null => {
  try {
    return unpackPlace(secrets.open(sealed, contextOf(storeId)));
  } catch (error) {
    if (!(error instanceof SecretUnopened)) throw error;
    return error.isKeyMissing ? UNKNOWN_PLACE : null;
  }
};

/** The place that a request has passed. Null begins at the oldest event. */
export const openCursor = (
  secrets: CursorSecrets,
  storeId: string,
  after: string | undefined,
): Result<FeedPlace | 'latest' | null, 'invalid'> => {
  if (after === undefined) return ok(null);
  if (after === 'latest') return ok(after);
  const parsed = parseCursor(storeId, after);
  const place = parsed !== null && 'sealed' in parsed ? opened(secrets, storeId, parsed.sealed) : parsed;
  return place === null ? BROKEN_CURSOR : ok(place);
};
