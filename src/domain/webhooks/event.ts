import type { EnforcedScope } from '../identity/scope.ts';

/** The event types a subscription can name, with the scope each needs (decisions.md, Webhooks, Catalog). */
export const EVENT_SCOPES = {
  'product.created': 'read_products',
  'product.updated': 'read_products',
  'product.deleted': 'read_products',
  'inventory.updated': 'read_products',
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

/** Something that happened in a store, to be recorded in the transaction that made it happen. */
export interface NewEvent {
  /** A uuid that its sender chose, so that it may send it again; a new one where it is not given. */
  readonly id?: string | undefined;
  readonly storeId: string;
  readonly type: EventType | 'ping' | 'app.uninstalled';
  readonly resourceId: string | null;
  /** The installation whose request made the change; null for the merchant. */
  readonly origin: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** 256 KB: over that the data shrinks to the resource's id. */
const MAX_BODY_BYTES = 262_144;

/** The body of every delivery of the event, frozen with it (decisions.md, Webhooks, Body). `timestamp` is ISO 8601. */
export const frozenBody = (event: NewEvent, id: string, timestamp: string): string => {
  const bodyWith = (data: unknown): string => JSON.stringify({ id, type: event.type, timestamp, storeId: event.storeId, data });
  const body = bodyWith(event.data);
  // A UTF-16 unit is at most three bytes of UTF-8, so most bodies need no count.
  if (body.length * 3 <= MAX_BODY_BYTES || new TextEncoder().encode(body).length <= MAX_BODY_BYTES) return body;
  return bodyWith({ id: event.resourceId });
};
