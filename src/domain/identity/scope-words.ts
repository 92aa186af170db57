import type { Scope } from './scope.ts';

/** Scopes in words: for merchants who are asked for them, in the console and in the documents of the API. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read_products: 'Read products, variants, prices, stock and media imports, and receive their events.',
  write_products: 'Change products, variants and prices, and import images. Includes read_products.',
  read_collections: 'Read collections and their products, and receive their events.',
  read_metaobjects: "Read the app's own custom data, and receive its events.",
  write_metaobjects: "Create, replace and delete the app's own custom data. Includes read_metaobjects.",
  read_webhooks: "Read the app's own subscriptions and deliveries.",
  write_webhooks: "Create, delete and test the app's own subscriptions, and redeliver. Includes read_webhooks.",
  read_orders: 'Receive the events of orders.',
  write_inventory: 'Change the stock of variants.',
  write_collections: 'Change collections. Includes read_collections.',
  write_orders: 'Change orders. Includes read_orders.',
  read_customers: 'Read customers.',
  write_customers: 'Change customers.',
  read_inventory: 'Read stock.',
  read_discounts: 'Read discounts.',
  write_discounts: 'Change discounts.',
  read_content: 'Read pages and texts.',
  write_content: 'Change pages and texts.',
  read_shipping: 'Read the settings of shipping.',
  write_shipping: 'Change the settings of shipping.',
  read_media: 'Read images and files.',
  write_media: 'Change images and files.',
  read_analytics: 'Read the figures of the store.',
};
