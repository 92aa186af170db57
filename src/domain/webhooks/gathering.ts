import { invalid } from './webhook-url.ts';
import type { Refusal } from '../result.ts';
import { fitsWebhook, GATHERED_TYPES, type SubscribableType } from './event.ts';

/**
 * Wait of a delivery for more changes of its resource: until none came for a while, and never for
 * longer than the most.
 */
export interface Gathering {
  readonly quietSeconds: number;
  readonly maxSeconds: number;
}

export const MAX_QUIET_SECONDS = 60;
export const MAX_GATHER_SECONDS = 300;

/** With more events, their ids would be a large part of a body. */
export const MAX_GATHERED = 1_000;

/** Fields that a gathered body has beside those of its type. */
export const GATHERED_FIELDS = ['gathered', 'events'] as const;

export const isGatheredType = (type: SubscribableType | 'ping'): boolean => GATHERED_TYPES.some((one) => one === type);

export const checkGathering = (
  { quietSeconds, maxSeconds }: Gathering,
  types: readonly SubscribableType[],
): Refusal<'invalid'> | null => {
  if (maxSeconds < quietSeconds) return invalid('gather: maxSeconds must not be less than quietSeconds.');
  return types.some(isGatheredType) ? null : invalid(`gather: eventTypes must have ${GATHERED_TYPES.join(' or ')}.`);
};

type Data = Readonly<Record<string, unknown>>;

interface Body extends Data {
  readonly id: string;
  readonly data: Data;
}

const recordOf = (value: unknown): Data => (value ?? {}) as Data;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** True when the body lists the changes. A body that was too large has only ids. */
const hasDetails = (data: Data): boolean => 'changedFields' in data || 'variants' in data;

/**
 * True when one body has new prices of some variants and the other has all variants: neither says
 * which price is newer.
 */
const isMixed = (one: Data, other: Data): boolean => 'variants' in one && 'variants' in recordOf(other['current']);

/** Each variant of both, with what it was before the earlier change and what it is after the later one. */
const variantsOf = (earlier: Data, later: Data): readonly Data[] => {
  const byId = new Map<unknown, Data>();
  for (const variant of [...listOf(earlier['variants']), ...listOf(later['variants'])].map(recordOf)) {
    const before = byId.get(variant['productVariantId']);
    byId.set(variant['productVariantId'], before ? { ...variant, previous: before['previous'] } : variant);
  }
  return [...byId.values()];
};

const changesOf = (earlier: Data, later: Data): Data => ({
  ...('changedFields' in later && {
    changedFields: [...new Set([...listOf(earlier['changedFields']), ...listOf(later['changedFields'])])],
    previous: { ...recordOf(later['previous']), ...recordOf(earlier['previous']) },
    current: { ...recordOf(earlier['current']), ...recordOf(later['current']) },
  }),
  ...('variants' in earlier && 'variants' in later && { variants: variantsOf(earlier, later) }),
});

/**
 * The body of a delivery that has gathered another event of its resource: the id and the time of the
 * later event, what was before the first change and what is after the last, and the ids of all. `before` is the body so far. Its origin
 * is `self`, the installation of the subscription, only if that made all of the changes: a receiver that skips its own
 * would miss the others.
 */
export const gatherBody = (before: string, added: string, self: string | null): string => {
  const [earlier, later] = [JSON.parse(before) as Body, JSON.parse(added) as Body];
  const events = [...listOf(earlier.data['events'] ?? [earlier.id]), later.id];
  const gathered = { gathered: events.length, events };
  const isClear = !isMixed(earlier.data, later.data) && !isMixed(later.data, earlier.data);
  if (isClear && hasDetails(earlier.data) && hasDetails(later.data)) {
    const origin = (later.data['origin'] ?? null) === self ? earlier.data['origin'] : later.data['origin'];
    const data = { ...earlier.data, ...later.data, ...changesOf(earlier.data, later.data), origin, ...gathered };
    const body = JSON.stringify({ ...later, data });
    if (fitsWebhook(body)) return body;
  }
  return JSON.stringify({ ...later, data: { id: later.data['id'], ...gathered } });
};

interface TimedEvent {
  readonly type: SubscribableType;
  readonly resourceId: string;
  /** In milliseconds. */
  readonly at: number;
}

/** Counts the events, the oldest first, that would have joined the delivery of one before them. */
export const countGathered = (events: readonly TimedEvent[], gather: Gathering, isOrdered: boolean): number => {
  const open = new Map<string, { readonly opened: number; readonly events: number; readonly until: number }>();
  const latest = new Map<string, string>();
  let gathered = 0;
  for (const { type, resourceId, at } of events) {
    const key = JSON.stringify([type, resourceId]);
    const window = open.get(key);
    const isLatest = !isOrdered || latest.get(resourceId) === key;
    latest.set(resourceId, key);
    const joins = isGatheredType(type) && window !== undefined && at < window.until && isLatest && window.events < MAX_GATHERED;
    if (joins) gathered += 1;
    const { opened, events: before } = joins ? window : { opened: at, events: 0 };
    const until = Math.min(at + gather.quietSeconds * 1000, opened + gather.maxSeconds * 1000);
    open.set(key, { opened, events: before + 1, until });
  }
  return gathered;
};
