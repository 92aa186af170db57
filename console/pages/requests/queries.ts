import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { RefusedRequest, RefusedRequestPage } from '../../api/types.ts';
import { filterOf } from './search.ts';
import type { RequestSearch } from './search.ts';

const TAKE = 50;

export const requestsQuery = (storeId: string, search: RequestSearch) => {
  const query = { ...filterOf(search), after: search.after, take: TAKE };
  return queryOptions({
    queryKey: ['requests', storeId, query],
    queryFn: ({ signal }) => api.get<RefusedRequestPage>(`/stores/${storeId}/requests`, query, signal),
    placeholderData: keepPreviousData,
  });
};

export const requestQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['request', requestId],
    queryFn: ({ signal }) => api.get<RefusedRequest>(`/requests/${encodeURIComponent(requestId)}`, {}, signal),
    // What was answered does not change.
    staleTime: Infinity,
  });
