import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { ConsoleSession, ListPage, Operator, OperatorToken } from '../../api/types.ts';

const MOST = 250;

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: ({ signal }) => api.get<ListPage<Operator>>('/operators', { take: MOST }, signal),
});

export const tokensQuery = (operatorId: string) =>
  queryOptions({
    queryKey: ['operator-tokens', operatorId],
    queryFn: ({ signal }) => api.get<{ readonly items: readonly OperatorToken[] }>(`/operators/${operatorId}/tokens`, {}, signal),
  });

export const sessionsQuery = queryOptions({
  queryKey: ['console-sessions'],
  queryFn: ({ signal }) => api.get<{ readonly items: readonly ConsoleSession[] }>('/sessions', {}, signal),
});
