import { queryOptions } from '@tanstack/react-query';

import { api } from './client.ts';
import { readSession } from './session.ts';
import type { Installation, Page, Store } from './types.ts';

/** Requests that several pages make. Those of one page are beside it. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 });

/** A console has few stores and apps: they are read at once. */
const ALL = { take: 250 } as const;

export const storesQuery = queryOptions({
  queryKey: ['stores'],
  queryFn: ({ signal }) => api.get<Page<Store>>('/stores', ALL, signal),
  staleTime: 30_000,
});

export const appsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['apps', storeId],
    queryFn: ({ signal }) => api.get<Page<Installation>>(`/stores/${storeId}/apps`, ALL, signal),
    staleTime: 30_000,
  });
