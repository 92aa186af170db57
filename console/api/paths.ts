import { isPortal } from './client.ts';

/** Where the API of the merchant has what an app sees of its own as well. */
const merchant = {
  event: (storeId: string, id: string) => `/stores/${storeId}/events/${id}`,
  deliveries: (storeId: string) => `/stores/${storeId}/deliveries`,
  delivery: (id: string) => `/deliveries/${id}`,
  redeliver: (id: string) => `/deliveries/${id}/redeliver`,
  redeliverMatching: (storeId: string) => `/stores/${storeId}/deliveries/redeliver`,
  redelivery: (id: string) => `/redeliveries/${id}`,
  ping: (id: string) => `/subscriptions/${id}/ping`,
  /** Includes only the reader's own. */
  ownSubscriptions: (storeId: string) => `/stores/${storeId}/webhooks/subscriptions`,
  /** Includes all that the reader sees, with their health. */
  receivers: (storeId: string) => `/stores/${storeId}/subscriptions`,
  receiver: (storeId: string, id: string) => `/stores/${storeId}/webhooks/subscriptions/${id}`,
  requests: (storeId: string) => `/stores/${storeId}/requests`,
  requestGroups: (storeId: string) => `/stores/${storeId}/requests/groups`,
  request: (id: string) => `/requests/${encodeURIComponent(id)}`,
  calls: (appId: string) => `/apps/${appId}/calls`,
  key: (appId: string, key: string) => `/apps/${appId}/idempotency-keys/${encodeURIComponent(key)}`,
  search: (storeId: string) => `/stores/${storeId}/search`,
} as const;

/** Paths for an app, whose session names the store and the installation. */
const app: typeof merchant = {
  event: (_storeId, id) => `/events/${id}`,
  deliveries: () => '/webhooks/deliveries',
  delivery: (id) => `/webhooks/deliveries/${id}`,
  redeliver: (id) => `/webhooks/deliveries/${id}/redeliver`,
  redeliverMatching: () => '/redeliveries',
  redelivery: merchant.redelivery,
  ping: (id) => `/webhooks/subscriptions/${id}/ping`,
  ownSubscriptions: () => '/webhooks/subscriptions',
  receivers: () => '/receivers',
  receiver: (_storeId, id) => `/receivers/${id}`,
  requests: () => '/requests',
  requestGroups: () => '/requests/groups',
  request: merchant.request,
  calls: () => '/calls',
  key: (_appId, key) => `/idempotency-keys/${encodeURIComponent(key)}`,
  search: () => '/search',
} as const;

export const paths = isPortal ? app : merchant;
