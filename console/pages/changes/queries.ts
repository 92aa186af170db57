import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { AuditPage } from '../../api/types.ts';

const TAKE = 50;

export const changesQuery = (storeId: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['changes', storeId, after],
    queryFn: ({ signal }) => api.get<AuditPage>('/audit', { store: storeId, after, take: TAKE }, signal),
    placeholderData: keepPreviousData,
  });
