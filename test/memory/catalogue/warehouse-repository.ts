import type { StoredWarehouse } from '../../../src/domain/catalogue/warehouse.ts';
import type { WarehouseRepository } from '../../../src/domain/ports/catalogue/warehouse-repository.ts';
import { table, type MemoryState } from '../state.ts';

/** The keys are `storeId/id`. */
const warehousesOf = (state: MemoryState): Map<string, StoredWarehouse> => table<StoredWarehouse>(state, 'warehouses');

export const storedWarehouses = (state: MemoryState, storeId: string): StoredWarehouse[] =>
  [...warehousesOf(state)].flatMap(([key, warehouse]) => (key.startsWith(`${storeId}/`) ? [warehouse] : []));

export const warehouseRepository = (state: MemoryState): WarehouseRepository => ({
  list: async (storeId) => storedWarehouses(state, storeId),
  save: async (storeId, warehouses) => {
    for (const warehouse of warehouses) warehousesOf(state).set(`${storeId}/${warehouse.id}`, warehouse);
  },
  remove: async (storeId, ids) => {
    for (const id of ids) warehousesOf(state).delete(`${storeId}/${id}`);
  },
});
