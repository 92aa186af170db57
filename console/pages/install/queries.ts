import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { InstallRequest } from '../../api/types.ts';

/** Once: a request that was decided would be missing, and what the merchant reads must not change meanwhile. */
export const installRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['install-requests', id],
    queryFn: ({ signal }) => api.get<InstallRequest>(`/install-requests/${encodeURIComponent(id)}`, {}, signal),
    staleTime: 'static',
    retry: false,
  });
