import { queryOptions } from '@tanstack/react-query';

import { api, isPortal } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import type { KnownProduct } from './compose.ts';
import type { OpenApi } from './document.ts';

/** The document of the app API. It changes with the server's version alone. */
export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: ({ signal }) => api.get<OpenApi>('/openapi.json', isPortal ? {} : { listener: 'app' }, signal),
  staleTime: Infinity,
});

/** A product that examples can name; null in an empty catalogue. */
export const anyProductQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['any-product', storeId],
    queryFn: async ({ signal }) => {
      const path = isPortal ? '/catalog/products' : `/stores/${storeId}/products`;
      const { items } = await api.get<Page<KnownProduct>>(path, { take: 1 }, signal);
      return items[0] ?? null;
    },
    staleTime: Infinity,
    retry: false,
  });
