import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { api, isPortal } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import type { ListPage, ProductListItem } from '../../api/types.ts';
import { productIds, type About } from './product-ids.ts';

const READING: readonly string[] = ['read_products', 'write_products'];

/** Names the products that these are about. Gives undefined for what is not a product, or was deleted. */
export const useProductNames = (
  storeId: string,
  about: readonly About[],
): ((resourceId: string | null) => string | undefined) => {
  const named = productIds(about);
  const session = useQuery({ ...sessionQuery, enabled: isPortal });
  const mayRead = !isPortal || session.data?.installation?.scopes.some((scope) => READING.includes(scope)) === true;
  const query = { ids: named, fields: ['id', 'name'], take: named.length };
  const found = useQuery({
    queryKey: ['product-names', storeId, named],
    queryFn: ({ signal }) =>
      api.get<Pick<ListPage<Pick<ProductListItem, 'id' | 'name'>>, 'items'>>(
        isPortal ? '/catalog/products' : `/stores/${storeId}/products`,
        query,
        signal,
      ),
    enabled: mayRead && named.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const names = new Map(found.data?.items.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? undefined : names.get(id));
};
