import type { EnforcedScope } from '../identity/scope.ts';

/**
 * The event types that an app's subscription can name, with the scope that each requires
 * (docs/specification/webhooks.md, "Event types").
 */
export const EVENT_SCOPES = {
  'product.created': 'read_products',
  'product.updated': 'read_products',
  'product.deleted': 'read_products',
  'inventory.updated': 'read_products',
  'category.created': 'read_products',
  'category.updated': 'read_products',
  'category.deleted': 'read_products',
  'tax_class.created': 'read_products',
  'tax_class.updated': 'read_products',
  'collection.created': 'read_collections',
  'collection.updated': 'read_collections',
  'collection.deleted': 'read_collections',
  'metaobject.created': 'read_metaobjects',
  'metaobject.updated': 'read_metaobjects',
  'metaobject.deleted': 'read_metaobjects',
  'media.import_completed': 'read_products',
  'media.import_failed': 'read_products',
  'order.created': 'read_orders',
  'order.paid': 'read_orders',
  'order.shipped': 'read_orders',
  'order.cancelled': 'read_orders',
  'order.refunded': 'read_orders',
} as const satisfies Record<string, EnforcedScope>;

export type EventType = keyof typeof EVENT_SCOPES;

export const EVENT_TYPES = Object.keys(EVENT_SCOPES) as EventType[];

/** The life of an installation of a platform app. Its event address gets them too. `app.uninstalled` is of every app. */
export const LIFE_EVENT_TYPES = [
  'app.installed',
  'app.scopes_changed',
  'app.suspended',
  'app.resumed',
  'app.uninstalled',
] as const;
export type LifeEventType = (typeof LIFE_EVENT_TYPES)[number];

/** The event types that only the merchant's subscriptions can name. */
const MERCHANT_EVENT_TYPES = [
  ...LIFE_EVENT_TYPES,
  'subscription.failing',
  'subscription.recovered',
  'subscription.deactivated',
  'delivery.exhausted',
] as const;

export const SUBSCRIBABLE_TYPES = [...EVENT_TYPES, ...MERCHANT_EVENT_TYPES];
export type SubscribableType = (typeof SUBSCRIBABLE_TYPES)[number];

/** An event in a store, recorded in the transaction that causes it. */
export interface NewEvent {
  /** A UUID that its sender chose, so that it can send the event again. By default a new one. */
  readonly id?: string | undefined;
  readonly storeId: string;
  readonly type: SubscribableType | 'ping';
  readonly resourceId: string | null;
  /** The installation whose request made the change. Null is the merchant. */
  readonly origin: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly dataJson?: string;
}

/** The event with the JSON of its data made now, so that recording it takes less time. */
export const withDataJson = (event: NewEvent): NewEvent => ({ ...event, dataJson: JSON.stringify(event.data) });

/** 256 KB. In a larger body, the data shrinks to the resource's id. */
const MAX_BODY_BYTES = 262_144;

export const fitsWebhook = (body: string): boolean =>
  // A UTF-16 unit has at most three bytes in UTF-8, so most bodies are not encoded to be measured.
  body.length * 3 <= MAX_BODY_BYTES || new TextEncoder().encode(body).length <= MAX_BODY_BYTES;

export interface FrozenBodies {
  readonly body: string;
  /** The body with all the data, where `body` has only the resource's id. */
  readonly wholeBody: string | null;
}

/** The bodies of the event, made once (docs/specification/webhooks.md, "Body"). `timestamp` is ISO 8601. */
export const frozenBodies = (event: NewEvent, id: string, timestamp: string): FrozenBodies => {
  const envelope = JSON.stringify({ id, type: event.type, timestamp, storeId: event.storeId });
  const bodyWith = (data: string): string => `${envelope.slice(0, -1)},"data":${data}}`;
  const body = bodyWith(event.dataJson ?? JSON.stringify(event.data));
  return fitsWebhook(body)
    ? { body, wholeBody: null }
    : { body: bodyWith(JSON.stringify({ id: event.resourceId })), wholeBody: body };
};

export const frozenBody = (event: NewEvent, id: string, timestamp: string): string => frozenBodies(event, id, timestamp).body;
