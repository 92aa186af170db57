import type { WarehouseReader } from '../../../src/domain/ports/catalogue/warehouse-reader.ts';
import { storesOf } from '../identity/identity-tables.ts';
import type { MemoryState } from '../state.ts';
import { productsOf } from './catalogue-tables.ts';
import { storedWarehouses } from './warehouse-repository.ts';

export const warehouseReader = (state: MemoryState): WarehouseReader => ({
  page: async (storeId, from, limit) => {
    if (!storesOf(state).has(storeId)) return null;
    const stock = [...productsOf(state).values()]
      .filter(({ tenantId }) => tenantId === storeId)
      .flatMap(({ variants }) => variants.flatMap(({ inventory }) => inventory.filter(({ isDeleted }) => !isDeleted)));
    const mentioned = stock.map(({ warehouseId: id }) => ({ id, name: null, code: null, country: null }));
    const known = new Map([...mentioned, ...storedWarehouses(state, storeId)].map((one) => [one.id, one]));
    return [...known.values()]
      .filter(({ id }) => from === null || id >= from)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit);
  },
});
