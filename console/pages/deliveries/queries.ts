import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { DeliveryDetail, DeliveryPage, Redelivery } from '../../api/types.ts';
import { filterOf } from './search.ts';
import type { DeliverySearch } from './search.ts';

export const TAKE = 50;

export const deliveriesQuery = (storeId: string, search: DeliverySearch) => {
  const query = { ...filterOf(search), after: search.after, take: TAKE };
  return queryOptions({
    queryKey: ['deliveries', storeId, query],
    queryFn: ({ signal }) => api.get<DeliveryPage>(`/stores/${storeId}/deliveries`, query, signal),
    placeholderData: keepPreviousData,
  });
};

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: ['delivery', deliveryId],
    queryFn: ({ signal }) => api.get<DeliveryDetail>(`/deliveries/${deliveryId}`, {}, signal),
  });

export const redeliver = (deliveryId: string): Promise<unknown> => api.post(`/deliveries/${deliveryId}/redeliver`);

const PROGRESS_MS = 1_000;

export const redeliveryQuery = (redeliveryId: string) =>
  queryOptions({
    queryKey: ['redelivery', redeliveryId],
    queryFn: ({ signal }) => api.get<Redelivery>(`/redeliveries/${redeliveryId}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.isFinished === true ? false : PROGRESS_MS),
  });
