import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { DeliveryPage, ListPage, ReceiverFigures, WatchedSubscription } from '../../api/types.ts';
import { RANGES, type RangeName } from '../overview/ranges.ts';

export type SubscriptionPage = ListPage<WatchedSubscription>;

interface ListQuery {
  readonly q?: string | undefined;
  readonly installationId?: string | undefined;
  readonly after?: string | undefined;
  readonly take?: number;
}

const MOST = 250;

export const readSubscriptions = (storeId: string, query: ListQuery, signal: AbortSignal): Promise<SubscriptionPage> =>
  api.get<SubscriptionPage>(paths.receivers(storeId), { ...query }, signal);

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

/** Fails with 404 for a removed subscription. */
export const subscriptionQuery = (storeId: string, id: string) =>
  queryOptions({
    queryKey: ['subscription', storeId, id],
    queryFn: ({ signal }) => api.get<WatchedSubscription>(paths.receiver(storeId, id), {}, signal),
    staleTime: 30_000,
  });

export const receiverFiguresQuery = (storeId: string, id: string, range: RangeName) => {
  const { seconds, step, everyMs } = RANGES[range];
  return queryOptions({
    queryKey: ['receiver-figures', storeId, id, range],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - seconds * 1000).toISOString();
      return api.get<ReceiverFigures>(`${paths.receiver(storeId, id)}/figures`, { since, step }, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });
};

/** Query keys that an action on a receiver invalidates. */
export const RECEIVER_CHANGES = [
  'subscription',
  'subscriptions',
  'receiver-figures',
  'deliveries',
  'delivery',
  'attention',
] as const;

const LATEST = 5;

export const latestDeliveriesQuery = (storeId: string, subscriptionId: string | undefined) => {
  const query = { subscriptionId, take: LATEST };
  return queryOptions({
    queryKey: ['deliveries', storeId, query],
    queryFn: ({ signal }) => api.get<DeliveryPage>(paths.deliveries(storeId), query, signal),
  });
};
