import type { EnforcedScope } from '../../../domain/identity/scope.ts';

/** What each scope that a route or an event type requires lets an app do. */
export const SCOPE_MEANINGS: Readonly<Record<EnforcedScope, string>> = {
  read_products: 'Read products, variants and media imports, and receive their events.',
  write_products: 'Update products and variants, and import images. Includes `read_products`.',
  read_collections: 'Read the products of collections, and receive the events of collections.',
  read_metaobjects: 'Read your own custom data, and receive its events.',
  write_metaobjects: 'Create, replace and delete your own custom data. Includes `read_metaobjects`.',
  read_webhooks: 'Read your own subscriptions and deliveries.',
  write_webhooks: 'Create, delete and test your own subscriptions, and redeliver. Includes `read_webhooks`.',
  read_orders: 'Receive the events of orders.',
  write_inventory: 'Update the stock of variants.',
};
