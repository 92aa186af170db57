import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, isPortal } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import { ApiError } from '../../api/problem.ts';
import type { DeliveryPage, ListPage, ReceiverFigures, Subscription, WatchedSubscription } from '../../api/types.ts';
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

const ownOne = async (storeId: string, id: string, signal: AbortSignal): Promise<WatchedSubscription> => {
  const [found] = (await ownPage(storeId, id, signal)).items;
  if (!found) throw new ApiError('The subscription does not exist.', 404, 'not_found', null);
  return found;
};

/** One by its id. Fails with 404 where it was removed. */
export const subscriptionQuery = (storeId: string, id: string) =>
  queryOptions({
    queryKey: ['subscription', storeId, id],
    queryFn: ({ signal }) =>
      isPortal
        ? ownOne(storeId, id, signal)
        : api.get<WatchedSubscription>(`${paths.ownSubscriptions(storeId)}/${id}`, {}, signal),
    staleTime: 30_000,
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
