import { decideWarehouses, type WarehouseChange, type WarehouseReport } from '../../domain/catalogue/warehouse.ts';
import type { Cause } from '../../domain/cause.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

/** Says names, codes and countries of warehouses. The stock and the products stay as they are, so there is no event. */
export const putWarehouses =
  ({ stores, transaction }: Pick<Ports, 'stores' | 'transaction'>) =>
  async (
    cause: Cause,
    storeId: string,
    changes: readonly WarehouseChange[],
  ): Promise<Result<WarehouseReport, 'invalid' | 'not_found'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    return transaction.run(cause, async ({ products, warehouses }) => {
      await products.lockCatalogue(storeId);
      const decided = decideWarehouses(changes, await warehouses.list(storeId));
      if (!decided.ok) return decided;
      const { saved, removed, report } = decided.value;
      await warehouses.save(storeId, saved);
      await warehouses.remove(storeId, removed);
      return ok(report);
    });
  };
