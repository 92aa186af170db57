import { isPortal } from './client.ts';

/** Where the API of the merchant has what an app sees of its own as well. */
const merchant = {
  event: (storeId: string, id: string) => `/stores/${storeId}/events/${id}`,
  deliveries: (storeId: string) => `/stores/${storeId}/deliveries`,
  delivery: (id: string) => `/deliveries/${id}`,
  redeliver: (id: string) => `/deliveries/${id}/redeliver`,
  ping: (id: string) => `/subscriptions/${id}/ping`,
  /** Those that the reader made. */
  ownSubscriptions: (storeId: string) => `/stores/${storeId}/webhooks/subscriptions`,
} as const;

/** The same in the API of apps, whose session names the store. */
const app: typeof merchant = {
  event: (_storeId, id) => `/events/${id}`,
  deliveries: () => '/webhooks/deliveries',
  delivery: (id) => `/webhooks/deliveries/${id}`,
  redeliver: (id) => `/webhooks/deliveries/${id}/redeliver`,
  ping: (id) => `/webhooks/subscriptions/${id}/ping`,
  ownSubscriptions: () => '/webhooks/subscriptions',
} as const;

export const paths = isPortal ? app : merchant;
