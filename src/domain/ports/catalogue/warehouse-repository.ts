import type { StoredWarehouse } from '../../catalogue/warehouse.ts';

export interface WarehouseRepository {
  /** Returns the warehouses of the store that the merchant describes. A warehouse that only stock mentions is left out. */
  list(storeId: string): Promise<StoredWarehouse[]>;
  /** Inserts or replaces the descriptions. */
  save(storeId: string, warehouses: readonly StoredWarehouse[]): Promise<void>;
  /** Forgets the descriptions of these warehouses of the store. Their stock stays. */
  remove(storeId: string, ids: readonly string[]): Promise<void>;
}
