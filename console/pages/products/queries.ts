import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { Page, Product, ProductListItem } from '../../api/types.ts';
import type { ProductsSearch } from './search.ts';

export const TAKE = 50;

/** How many products are before the page; 0 where the URL says nothing useful. */
export const skipOf = ({ skip }: ProductsSearch): number => (/^\d{1,9}$/.test(skip ?? '') ? Number(skip) : 0);

export const productsQuery = (storeId: string, search: ProductsSearch) => {
  const query = { q: search.q, status: search.status, skip: skipOf(search), take: TAKE };
  return queryOptions({
    queryKey: ['products', storeId, query],
    queryFn: ({ signal }) => api.get<Page<ProductListItem>>(`/stores/${storeId}/products`, query, signal),
    placeholderData: keepPreviousData,
  });
};

export const productQuery = (storeId: string, productId: string) =>
  queryOptions({
    queryKey: ['product', storeId, productId],
    queryFn: ({ signal }) => api.get<Product>(`/stores/${storeId}/products/${productId}`, {}, signal),
  });
