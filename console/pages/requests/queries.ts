import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import { ApiError } from '../../api/problem.ts';
import type { RefusedRequest, RefusedRequestGroups, RefusedRequestPage } from '../../api/types.ts';
import { filterOf, type RequestSearch } from './search.ts';

const TAKE = 50;

/** A refusal is in the log about a second after its response, and a link may lead to it sooner. */
const LATE = { times: 3, everyMs: 700 } as const;

export const requestsQuery = (storeId: string, search: RequestSearch) => {
  const query = { ...filterOf(search), after: search.after, take: TAKE };
  return queryOptions({
    queryKey: ['requests', storeId, query],
    queryFn: ({ signal }) => api.get<RefusedRequestPage>(paths.requests(storeId), query, signal),
    placeholderData: keepPreviousData,
  });
};

export const requestGroupsQuery = (storeId: string, search: RequestSearch) => {
  const query = filterOf(search);
  return queryOptions({
    queryKey: ['requests', storeId, 'groups', query],
    queryFn: ({ signal }) => api.get<RefusedRequestGroups>(paths.requestGroups(storeId), query, signal),
    placeholderData: keepPreviousData,
  });
};

export const requestQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['request', requestId],
    queryFn: ({ signal }) => api.get<RefusedRequest>(paths.request(requestId), {}, signal),
    // An answered request does not change.
    staleTime: Infinity,
    retry: (failures, error) => failures < LATE.times && !(error instanceof ApiError && error.status !== 404),
    retryDelay: LATE.everyMs,
  });
