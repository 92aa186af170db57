import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { SearchAnswer } from '../../api/types.ts';

export const searchQuery = (storeId: string, q: string) =>
  queryOptions({
    queryKey: ['search', storeId, q],
    queryFn: ({ signal }) => api.get<SearchAnswer>(paths.search(storeId), { q }, signal),
  });
