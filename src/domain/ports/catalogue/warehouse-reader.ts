import type { StoredWarehouse } from '../../catalogue/warehouse.ts';

export interface WarehouseReader {
  /**
   * Returns the warehouses of the store by id: those that the merchant describes, and those that stock mentions, also
   * stock of a deleted product. Starts with the id `from`, or at the first warehouse when it is null. Returns `limit`
   * warehouses, and fewer only at the end. Returns null for an unknown store.
   */
  page(storeId: string, from: string | null, limit: number): Promise<StoredWarehouse[] | null>;
}
