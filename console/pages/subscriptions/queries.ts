import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, isPortal } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { DeliveryPage, ListPage, Subscription, WatchedSubscription } from '../../api/types.ts';

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

export type SubscriptionPage = ListPage<WatchedSubscription>;

interface ListQuery {
  readonly q?: string | undefined;
  readonly installationId?: string | undefined;
  readonly after?: string | undefined;
  readonly take?: number;
}

const MOST = 250;

/** An app's own are few, and come at once. */
const ownPage = async (storeId: string, q: string, signal: AbortSignal): Promise<SubscriptionPage> => {
  const all = await api.get<readonly Subscription[]>(paths.ownSubscriptions(storeId), {}, signal);
  const items = all
    .filter(({ id, url, description }) => `${id} ${url} ${description ?? ''}`.toLowerCase().includes(q.toLowerCase()))
    .map(asWatched);
  return { items, skip: 0, take: items.length, total: items.length, next: null };
};

export const readSubscriptions = (storeId: string, query: ListQuery, signal: AbortSignal): Promise<SubscriptionPage> =>
  isPortal
    ? ownPage(storeId, query.q ?? '', signal)
    : api.get<SubscriptionPage>(`/stores/${storeId}/subscriptions`, { ...query }, signal);

export const subscriptionsQuery = (storeId: string, query: ListQuery) =>
  queryOptions({
    queryKey: ['subscriptions', storeId, query],
    queryFn: ({ signal }) => readSubscriptions(storeId, query, signal),
    placeholderData: keepPreviousData,
  });

/** All that match, page after page: for what the server does not filter by. */
export const allSubscriptionsQuery = (storeId: string, query: Pick<ListQuery, 'q' | 'installationId'>) =>
  queryOptions({
    queryKey: ['subscriptions', storeId, 'all', query],
    queryFn: async ({ signal }) => {
      let page = await readSubscriptions(storeId, { ...query, take: MOST }, signal);
      const items = [...page.items];
      while (page.next !== null) {
        page = await readSubscriptions(storeId, { ...query, take: MOST, after: page.next }, signal);
        items.push(...page.items);
      }
      return { ...page, items };
    },
    placeholderData: keepPreviousData,
  });

/** One by its id; null where it was removed. */
export const subscriptionQuery = (storeId: string, id: string) =>
  queryOptions({
    queryKey: ['subscriptions', storeId, 'one', id],
    queryFn: async ({ signal }) =>
      (await readSubscriptions(storeId, { q: id, take: 1 }, signal)).items.find((one) => one.id === id) ?? null,
    staleTime: 30_000,
  });

const LATEST = 5;

/** What was sent to a subscription last. */
export const latestDeliveriesQuery = (storeId: string, subscriptionId: string | undefined) => {
  const query = { subscriptionId, take: LATEST };
  return queryOptions({
    queryKey: ['deliveries', storeId, query],
    queryFn: ({ signal }) => api.get<DeliveryPage>(paths.deliveries(storeId), query, signal),
  });
};
