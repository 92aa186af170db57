import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { IncidentPage } from '../../api/types.ts';
import type { IncidentSearch } from './search.ts';

const TAKE = 50;
/** A worker looks every 20 seconds. */
const EVERY_MS = 10_000;

export const incidentsQuery = (storeId: string, { show, after }: IncidentSearch) => {
  const query = { status: show === 'all' ? undefined : 'open', after, take: TAKE };
  return queryOptions({
    queryKey: ['incidents', storeId, query],
    queryFn: ({ signal }) => api.get<IncidentPage>(`/stores/${storeId}/incidents`, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
};
