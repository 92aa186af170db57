import type { Scope } from '../identity/scope.ts';
import { covers } from '../identity/scope.ts';
import { ok, refuse } from '../result.ts';
import type { Refusal, Result } from '../result.ts';
import { EVENT_SCOPES, EVENT_TYPES, SUBSCRIBABLE_TYPES } from './event.ts';
import type { EventType, SubscribableType } from './event.ts';
import { formatCursor, parseCursor } from './feed-cursor.ts';
import { known, unknownTypes } from './subscription.ts';

/** The events of a page, where the request does not say. */
export const DEFAULT_FEED_TAKE = 100;
/** The longest that a request may wait for an event. */
export const MAX_WAIT_SECONDS = 25;
/** The requests of one installation that may wait at once. */
export const MAX_WAITING = 2;
/** The merchant's requests for one store that may wait at once: those of the people who work on it. */
export const MAX_MERCHANT_WAITING = 20;

/** The orders in which the merchant reads the feed: its own, or from the newest event back. */
export const FEED_ORDERS = ['oldest', 'newest'] as const;
export type FeedOrder = (typeof FEED_ORDERS)[number];

/** The types that an app with these scopes may see (decisions.md, Feed). */
export const visibleTypes = (scopes: readonly Scope[]): readonly EventType[] =>
  EVENT_TYPES.filter((type) => covers(scopes, EVENT_SCOPES[type]));

/** `product.*` is every type that begins with `product.`. */
const matching = <T extends SubscribableType>(pattern: string, types: readonly T[]): readonly T[] => {
  if (pattern.endsWith('.*')) return types.filter((type) => type.startsWith(pattern.slice(0, -1).toLowerCase()));
  const type = known(pattern, types);
  return type === undefined ? [] : [type];
};

const named = (
  patterns: readonly string[],
  types: readonly SubscribableType[],
): Result<ReadonlySet<SubscribableType>, 'invalid'> => {
  const unknown = patterns.filter((pattern) => matching(pattern, types).length === 0);
  return unknown.length > 0 ? unknownTypes(unknown) : ok(new Set(patterns.flatMap((pattern) => matching(pattern, types))));
};

/**
 * The event types that an app asks for and may see. Without patterns it asks for all. An app may ask
 * for a type that it may not see, so that a lost scope does not end its walk.
 */
export const typesForApp = (
  patterns: readonly string[],
  scopes: readonly Scope[],
): Result<readonly SubscribableType[], 'invalid'> => {
  const visible = visibleTypes(scopes);
  if (patterns.length === 0) return ok(visible);
  const asked = named(patterns, EVENT_TYPES);
  return asked.ok ? ok(visible.filter((type) => asked.value.has(type))) : asked;
};

/** The event types that the merchant asks for. Null is every type. */
export const typesForMerchant = (patterns: readonly string[]): Result<readonly SubscribableType[] | null, 'invalid'> => {
  if (patterns.length === 0) return ok(null);
  const asked = named(patterns, SUBSCRIBABLE_TYPES);
  return asked.ok ? ok([...asked.value]) : asked;
};

/** The position that a request has passed. Null begins at the oldest event. */
export const parseAfter = (storeId: string, after: string | undefined): Result<number | 'latest' | null, 'invalid'> => {
  if (after === undefined) return ok(null);
  if (after === 'latest') return ok(after);
  const position = parseCursor(storeId, after);
  return position === null ? refuse('invalid', 'after must be `latest` or the `next` of a page of this store.') : ok(position);
};

/** `oldest` is the position before the oldest event that is kept. */
export const cursorExpired = (storeId: string, oldest: number): Refusal<'cursor_expired'> => ({
  ...refuse('cursor_expired', 'The events after this cursor are not kept any more. Continue with the cursor in oldest.'),
  details: { oldest: formatCursor(storeId, oldest) },
});

const tooManyWaiting = (limit: number, whose: string): Refusal<'rate_limited'> =>
  refuse(
    'rate_limited',
    `At most ${limit} requests ${whose} can wait at once. Retry after the number of seconds in Retry-After.`,
  );

export const TOO_MANY_WAITING = tooManyWaiting(MAX_WAITING, 'of an installation');
export const TOO_MANY_MERCHANT_WAITING = tooManyWaiting(MAX_MERCHANT_WAITING, 'for a store');
