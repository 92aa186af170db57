import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { DeliveryPage, WatchedSubscription } from '../../api/types.ts';

export const subscriptionsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['subscriptions', storeId],
    queryFn: ({ signal }) => api.get<readonly WatchedSubscription[]>(`/stores/${storeId}/subscriptions`, {}, signal),
  });

const LATEST = 5;

/** What was sent to a subscription last. */
export const latestDeliveriesQuery = (storeId: string, subscriptionId: string) => {
  const query = { subscriptionId, take: LATEST };
  return queryOptions({
    queryKey: ['deliveries', storeId, query],
    queryFn: ({ signal }) => api.get<DeliveryPage>(`/stores/${storeId}/deliveries`, query, signal),
  });
};
