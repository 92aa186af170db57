import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, isPortal } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { DeliveryDetail, DeliveryPage, Redelivery } from '../../api/types.ts';
import { filterOf, type DeliverySearch } from './search.ts';

const TAKE = 50;

export const deliveriesQuery = (storeId: string, search: DeliverySearch) => {
  const query = { ...filterOf(search), after: search.after, take: TAKE };
  return queryOptions({
    queryKey: ['deliveries', storeId, query],
    queryFn: ({ signal }) => api.get<DeliveryPage>(paths.deliveries(storeId), query, signal),
    placeholderData: keepPreviousData,
  });
};

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: ['delivery', deliveryId],
    queryFn: async ({ signal }) => {
      const delivery = await api.get<DeliveryDetail>(paths.delivery(deliveryId), {}, signal);
      // An app does not learn the addresses that were dialled.
      return isPortal ? { ...delivery, log: delivery.log.map((attempt) => ({ ...attempt, address: null })) } : delivery;
    },
  });

const PROGRESS_MS = 1_000;

export const redeliveryQuery = (redeliveryId: string) =>
  queryOptions({
    queryKey: ['redelivery', redeliveryId],
    queryFn: ({ signal }) => api.get<Redelivery>(paths.redelivery(redeliveryId), {}, signal),
    refetchInterval: ({ state }) => (state.data?.isFinished === true ? false : PROGRESS_MS),
  });
