import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { SignInMethod } from '../../api/types.ts';

interface Methods {
  readonly items: readonly SignInMethod[];
}

/** The name under which an action reads all of them again. */
export const METHODS = 'sign-in-methods';

export const ownMethodsQuery = queryOptions({
  queryKey: [METHODS],
  queryFn: ({ signal }) => api.get<Methods>('/operator/sign-in-methods', {}, signal),
});

export const methodsQuery = (operatorId: string) =>
  queryOptions({
    queryKey: [METHODS, operatorId],
    queryFn: ({ signal }) => api.get<Methods>(`/operators/${operatorId}/sign-in-methods`, {}, signal),
  });
