import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { SearchAnswer } from '../../api/types.ts';

export const searchQuery = (storeId: string, q: string) =>
  queryOptions({
    queryKey: ['search', storeId, q],
    queryFn: ({ signal }) => api.get<SearchAnswer>(`/stores/${storeId}/search`, { q }, signal),
  });
