import { covers, type Scope } from '../identity/scope.ts';
import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { EVENT_SCOPES, EVENT_TYPES, SUBSCRIBABLE_TYPES, type EventType, type SubscribableType } from './event.ts';
import type { ExpiryReason } from './feed-place.ts';
import { known, unknownTypes } from './subscription.ts';

/** The events of a page, where the request does not say. */
export const DEFAULT_FEED_TAKE = 100;
export const MAX_WAIT_SECONDS = 25;
export const MAX_WAITING = 2;
/** The merchant's requests for one store that may wait at once: those of the people who work on it. */
export const MAX_MERCHANT_WAITING = 20;

/** The orders in which the merchant reads the feed: its own, or from the newest event back. */
export const FEED_ORDERS = ['oldest', 'newest'] as const;
export type FeedOrder = (typeof FEED_ORDERS)[number];

/** The types that an app with these scopes may see (docs/specification/feed.md, "Reading"). */
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

export const BROKEN_CURSOR = refuse('invalid', 'after must be `latest` or the `next` of a page of this store.');

const WHY_EXPIRED: Readonly<Record<ExpiryReason, string>> = {
  history_changed:
    'The server has lost events that you read, in a failover or a restore. Continue with the cursor in oldest, which misses nothing.',
  key_unknown:
    'The server no longer has the key of this cursor. Continue with the cursor in oldest: it repeats every event that is kept.',
  not_kept: 'The events after this cursor are no longer kept. Continue with the cursor in oldest.',
};

/** `oldest` is the cursor from which the reader can continue. */
export const cursorExpired = (oldest: string, reason: ExpiryReason): Refusal<'cursor_expired'> => ({
  ...refuse('cursor_expired', WHY_EXPIRED[reason]),
  details: { oldest, reason },
});

const tooManyWaiting = (limit: number, whose: string): Refusal<'rate_limited'> =>
  refuse(
    'rate_limited',
    `At most ${limit} requests ${whose} can wait at once. Retry after the number of seconds in Retry-After.`,
  );

export const TOO_MANY_WAITING = tooManyWaiting(MAX_WAITING, 'of an installation');
export const TOO_MANY_MERCHANT_WAITING = tooManyWaiting(MAX_MERCHANT_WAITING, 'for a store');
