import type { LiveFrame } from './types.ts';

type EventType = Extract<LiveFrame, { kind: 'event' }>['type'];

/** The types of events that a store's feed has, by what they are about. */
const EVENT_TYPES = [
  'product.created',
  'product.updated',
  'product.deleted',
  'inventory.updated',
  'collection.created',
  'collection.updated',
  'collection.deleted',
  'metaobject.created',
  'metaobject.updated',
  'metaobject.deleted',
  'media.import_completed',
  'media.import_failed',
  'order.created',
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
] as const satisfies readonly EventType[];

/** Types that only the merchant's subscriptions get. */
const MERCHANT_EVENT_TYPES = [
  'app.uninstalled',
  'subscription.failing',
  'subscription.recovered',
  'subscription.deactivated',
  'delivery.exhausted',
] as const;

/** What the list of events can be filtered by: a type, or all that begin alike. */
export const TYPE_PATTERNS: readonly string[] = [...EVENT_TYPES, ...MERCHANT_EVENT_TYPES].flatMap((type, index, types) => {
  const family = (one: string): string => one.slice(0, one.indexOf('.') + 1);
  const isFirst = types.findIndex((other) => family(other) === family(type)) === index;
  const isAlone = types.filter((other) => family(other) === family(type)).length === 1;
  return isFirst && !isAlone ? [`${family(type)}*`, type] : [type];
});
