import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { Verification } from '../../api/types.ts';

export const verifyQuery = queryOptions({
  queryKey: ['verify'],
  queryFn: ({ signal }) => api.get<Verification>('/verify', {}, signal),
  // The check reads thousands of rows. It is made again when the reader asks.
  staleTime: 60_000,
  refetchOnWindowFocus: false,
});
