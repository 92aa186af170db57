import type { Scope } from './scope.ts';

/** What a scope allows, as a merchant reads it who is asked for it. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read_products: 'See your products, their variants, prices and stock.',
  write_products: 'See and change your products, their variants, prices and images.',
  read_collections: 'See your collections.',
  read_metaobjects: 'See the custom data of this app.',
  write_metaobjects: 'See and change the custom data of this app.',
  read_webhooks: 'See the webhook subscriptions and deliveries of this app.',
  write_webhooks: 'See and change the webhook subscriptions of this app.',
  read_orders: 'Be notified about your orders.',
  write_inventory: 'Change your stock.',
  write_collections: 'See and change your collections.',
  write_orders: 'See and change your orders.',
  read_customers: 'See your customers.',
  write_customers: 'See and change your customers.',
  read_inventory: 'See your stock.',
  read_discounts: 'See your discounts.',
  write_discounts: 'See and change your discounts.',
  read_content: 'See your pages and texts.',
  write_content: 'See and change your pages and texts.',
  read_shipping: 'See your shipping settings.',
  write_shipping: 'See and change your shipping settings.',
  read_media: 'See your images and files.',
  write_media: 'See and change your images and files.',
  read_analytics: 'See the figures of your store.',
};
