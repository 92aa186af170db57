import { queryOptions, useQuery } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { Warehouse, WarehousePage } from '../../api/types.ts';

/** The most that the console reads. A store that names its warehouses has fewer. */
export const MOST_SHOWN = 1_000;
const TAKE = 250;

export const warehousesQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['warehouses', storeId],
    queryFn: async ({ signal }) => {
      const items: Warehouse[] = [];
      let next: string | null = null;
      do {
        const query: Record<string, string | number> = { take: TAKE, ...(next !== null && { after: next }) };
        const page: WarehousePage = await api.get<WarehousePage>(`/stores/${storeId}/warehouses`, query, signal);
        items.push(...page.items);
        ({ next } = page);
      } while (next !== null && items.length < MOST_SHOWN);
      return { items, hasMore: next !== null };
    },
  });

/** Names a warehouse by its id. Gives null for one without a name of its own, and while the names are read. */
export const useWarehouseNames = (storeId: string): ((id: string) => string | null) => {
  const found = useQuery(warehousesQuery(storeId));
  const names = new Map(found.data?.items.map(({ id, name }) => [id, name]));
  return (id) => {
    const name = names.get(id) ?? id;
    return name === id ? null : name;
  };
};
