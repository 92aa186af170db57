import type { Installation } from '../../api/types.ts';

export type Scope = Installation['scopes'][number];

/** What each scope lets an app do, as its routes and events ask for it. */
export const USED_SCOPES = {
  read_products: 'Read products, stock and media imports, and receive their events.',
  write_products: 'Change products and import images. Includes reading.',
  read_collections: 'Read collections, and receive their events.',
  read_metaobjects: 'Read its own custom data, and receive its events.',
  write_metaobjects: 'Write and delete its own custom data. Includes read access.',
  read_webhooks: 'See its own subscriptions and deliveries.',
  write_webhooks: 'Subscribe, unsubscribe, ping and redeliver. Includes read access.',
  read_orders: 'Receive order events.',
  write_inventory: 'Change the stock of variants.',
} as const satisfies Partial<Record<Scope, string>>;

/** Can be granted, but nothing asks for them yet. `satisfies` names one that is missing. */
const UNUSED = {
  write_collections: true,
  write_orders: true,
  read_customers: true,
  write_customers: true,
  read_inventory: true,
  read_discounts: true,
  write_discounts: true,
  read_content: true,
  write_content: true,
  read_shipping: true,
  write_shipping: true,
  read_media: true,
  write_media: true,
  read_analytics: true,
} as const satisfies Record<Exclude<Scope, keyof typeof USED_SCOPES>, true>;

export const UNUSED_SCOPES = Object.keys(UNUSED) as (keyof typeof UNUSED)[];

const HELP: Readonly<Partial<Record<Scope, string>>> = {
  ...USED_SCOPES,
  write_collections: 'Includes read_collections. Nothing else uses it yet.',
  write_orders: 'Includes read_orders. Nothing else uses it yet.',
};

/** What the scope allows, in words. */
export const scopeHelp = (scope: Scope): string => HELP[scope] ?? 'Nothing uses it yet.';
