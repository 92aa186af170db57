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

/** The elements of both lists, each with what was before the earlier change and what is after the later one. */
const changesIn = (list: string, keyOf: (element: Data) => string) => (earlier: Data, later: Data) => {
  if (!(list in earlier) && !(list in later)) return {};
  const byKey = new Map<string, Data>();
  for (const element of [...listOf(earlier[list]), ...listOf(later[list])].map(recordOf)) {
    const before = byKey.get(keyOf(element));
    byKey.set(keyOf(element), before ? { ...element, previous: before['previous'] } : element);
  }
  return { [list]: [...byKey.values()] };
};

const variantOf = ({ productVariantId }: Data): string => String(productVariantId);
const variantChanges = changesIn('variants', variantOf);
const warehouseChanges = changesIn('warehouses', (at) => `${variantOf(at)} ${String(at['warehouseId'])}`);

/** A state of the product whose variants have the prices of a list of changes. */
const withPrices = (state: Data, changes: unknown, side: 'previous' | 'current'): Data => {
  if (!('variants' in state)) return state;
  const prices = new Map(
    listOf(changes)
      .map(recordOf)
      .map((change) => [change['productVariantId'], recordOf(change[side])]),
  );
  const variants = listOf(state['variants'])
    .map(recordOf)
    .map((variant) => ({ ...variant, ...prices.get(variant['id']) }));
  return { ...state, variants };
};

/** A list of variants from one event gets the prices that the other event has changed. */
const statesOf = (earlier: Data, later: Data): Data => {
  const [was, becomes] = [recordOf(earlier['previous']), recordOf(earlier['current'])];
  const [between, is] = [recordOf(later['previous']), recordOf(later['current'])];
  return {
    previous: { ...withPrices(between, earlier['variants'], 'previous'), ...was },
    current: { ...withPrices(becomes, later['variants'], 'current'), ...is },
  };
};

const changesOf = (earlier: Data, later: Data): Data => ({
  ...('changedFields' in later && {
    changedFields: [...new Set([...listOf(earlier['changedFields']), ...listOf(later['changedFields'])])],
    ...statesOf(earlier, later),
  }),
  ...variantChanges(earlier, later),
  ...warehouseChanges(earlier, later),
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
  if (hasDetails(earlier.data) && hasDetails(later.data)) {
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
