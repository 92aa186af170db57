import { queryOptions } from '@tanstack/react-query';

import { api } from './client.ts';
import { readSession } from './session.ts';
import type { Installation, ListPage, Store } from './types.ts';

/** Requests that several pages make. Those of one page are beside it. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 });

/** Who the session belongs to, in the merchant's console. */
export const operatorQuery = queryOptions({ ...sessionQuery, select: ({ operator }) => operator });

interface ListQuery {
  readonly q?: string | undefined;
  readonly status?: string | readonly string[] | undefined;
  readonly after?: string | undefined;
  readonly take?: number;
}

export const storesQuery = (query: ListQuery = {}) =>
  queryOptions({
    queryKey: ['stores', query],
    queryFn: ({ signal }) => api.get<ListPage<Store>>('/stores', { ...query }, signal),
    staleTime: 30_000,
  });

/** The key begins as that of the lists: what changes a store changes both. */
export const storeQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId],
    queryFn: ({ signal }) => api.get<Store>(`/stores/${storeId}`, {}, signal),
    staleTime: 30_000,
  });

export const appsQuery = (storeId: string, query: ListQuery & { readonly id?: readonly string[] } = {}) =>
  queryOptions({
    queryKey: ['apps', storeId, query],
    queryFn: ({ signal }) => api.get<ListPage<Installation>>(`/stores/${storeId}/apps`, { ...query }, signal),
    staleTime: 30_000,
  });
