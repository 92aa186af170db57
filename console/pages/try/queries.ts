import { queryOptions } from '@tanstack/react-query';

import { api, audience, request } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import type { KnownProduct } from './compose.ts';
import type { OpenApi } from './document.ts';

const readDocument = async (signal: AbortSignal): Promise<OpenApi> =>
  audience === 'merchant'
    ? api.get<OpenApi>('/openapi.json', { listener: 'app' }, signal)
    : ((await (await request('/openapi.json', { signal })).json()) as OpenApi);

/** The document of the app API. It changes with the server's version alone. */
export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: ({ signal }) => readDocument(signal),
  staleTime: Infinity,
});

/** A product that examples can name; null in an empty catalogue. */
export const anyProductQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['any-product', storeId],
    queryFn: async ({ signal }) => {
      const path = audience === 'merchant' ? `/stores/${storeId}/products` : '/catalog/products';
      const { items } = await api.get<Page<KnownProduct>>(path, { take: 1 }, signal);
      return items[0] ?? null;
    },
    staleTime: Infinity,
    retry: false,
  });
