import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { Attention, Stats } from '../../api/types.ts';
import { RANGES, type RangeName } from './ranges.ts';

export const statsQuery = (storeId: string, name: RangeName) => {
  const { seconds, step, everyMs } = RANGES[name];
  return queryOptions({
    queryKey: ['stats', storeId, name],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - seconds * 1000).toISOString();
      return api.get<Stats>(`/stores/${storeId}/stats`, { from, step }, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });
};

export const attentionQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['attention', storeId],
    queryFn: ({ signal }) => api.get<Attention>(`/stores/${storeId}/attention`, {}, signal),
    refetchInterval: 15_000,
  });
