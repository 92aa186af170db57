import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, isPortal } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { DeliveryPage, ReceiverFigures, Subscription, WatchedSubscription } from '../../api/types.ts';
import { RANGES, type RangeName } from '../overview/ranges.ts';

/** An app learns whether its subscription is deliverable. Why it is not is known where it is deactivated. */
const asWatched = (subscription: Subscription): WatchedSubscription => ({
  ...subscription,
  health: {
    breaker: 'closed',
    failingSince: null,
    nextProbeAt: null,
    deactivatesAt: null,
    pausedAt: null,
    deactivatedAt: null,
    deactivatedBecause: null,
    notDeliverableBecause: subscription.isActive ? [] : ['deactivated'],
  },
});

export const subscriptionsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['subscriptions', storeId],
    queryFn: async ({ signal }) =>
      isPortal
        ? (await api.get<readonly Subscription[]>(paths.ownSubscriptions(storeId), {}, signal)).map(asWatched)
        : api.get<readonly WatchedSubscription[]>(`/stores/${storeId}/subscriptions`, {}, signal),
  });

export const subscriptionQuery = (storeId: string, id: string) =>
  queryOptions({
    queryKey: ['subscription', storeId, id],
    queryFn: ({ signal }) => api.get<WatchedSubscription>(`${paths.ownSubscriptions(storeId)}/${id}`, {}, signal),
  });

export const receiverFiguresQuery = (storeId: string, id: string, range: RangeName) => {
  const { seconds, step, everyMs } = RANGES[range];
  return queryOptions({
    queryKey: ['receiver-figures', storeId, id, range],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - seconds * 1000).toISOString();
      return api.get<ReceiverFigures>(`${paths.ownSubscriptions(storeId)}/${id}/figures`, { since, step }, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });
};

const LATEST = 5;

/** What was sent to a subscription last. */
export const latestDeliveriesQuery = (storeId: string, subscriptionId: string | undefined) => {
  const query = { subscriptionId, take: LATEST };
  return queryOptions({
    queryKey: ['deliveries', storeId, query],
    queryFn: ({ signal }) => api.get<DeliveryPage>(paths.deliveries(storeId), query, signal),
  });
};
