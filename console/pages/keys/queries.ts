import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { KeyLife } from '../../api/types.ts';

/** While its request runs, a key is read this often. */
const RUNNING_MS = 1_000;

export const keyQuery = (appId: string, key: string) =>
  queryOptions({
    queryKey: ['key', appId, key],
    queryFn: ({ signal }) => api.get<KeyLife>(`/apps/${appId}/idempotency-keys/${encodeURIComponent(key)}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? RUNNING_MS : false),
  });
