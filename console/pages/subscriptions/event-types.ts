import type { WatchedSubscription } from '../../api/types.ts';

type EventType = WatchedSubscription['eventTypes'][number];

/** Types that the merchant can subscribe to. `satisfies` reports a missing one. */
const TYPES = {
  'order.created': 'Orders',
  'order.paid': 'Orders',
  'order.shipped': 'Orders',
  'order.cancelled': 'Orders',
  'order.refunded': 'Orders',
  'product.created': 'Catalogue',
  'product.updated': 'Catalogue',
  'product.deleted': 'Catalogue',
  'inventory.updated': 'Catalogue',
  'category.created': 'Catalogue',
  'category.updated': 'Catalogue',
  'category.deleted': 'Catalogue',
  'tax_class.created': 'Catalogue',
  'tax_class.updated': 'Catalogue',
  'collection.created': 'Catalogue',
  'collection.updated': 'Catalogue',
  'collection.deleted': 'Catalogue',
  'metaobject.created': 'Custom data and media',
  'metaobject.updated': 'Custom data and media',
  'metaobject.deleted': 'Custom data and media',
  'media.import_completed': 'Custom data and media',
  'media.import_failed': 'Custom data and media',
  'app.installed': 'Operations (merchant only)',
  'app.scopes_changed': 'Operations (merchant only)',
  'app.suspended': 'Operations (merchant only)',
  'app.resumed': 'Operations (merchant only)',
  'app.uninstalled': 'Operations (merchant only)',
  'subscription.failing': 'Operations (merchant only)',
  'subscription.recovered': 'Operations (merchant only)',
  'subscription.deactivated': 'Operations (merchant only)',
  'delivery.exhausted': 'Operations (merchant only)',
} as const satisfies Record<EventType, string>;

const all = Object.entries(TYPES) as [EventType, string][];

/** Event types by subject. */
export const TYPE_GROUPS: readonly (readonly [title: string, types: readonly EventType[]])[] = [
  ...new Set(all.map(([, group]) => group)),
].map((title) => [title, all.filter(([, group]) => group === title).map(([type]) => type)]);

/** The types that an app cannot subscribe to. */
export const MERCHANT_TYPES = TYPE_GROUPS.find(([, types]) => types.includes('app.uninstalled'))?.[1] ?? [];

export type { EventType };
