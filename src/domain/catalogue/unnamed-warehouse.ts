import { refuse, type Refusal } from '../result.ts';

/** The most warehouses that a message names: 250 of these messages fit into an answer that can be replayed. */
const MAX_NAMED = 4;

/**
 * The warehouse of stock that names none: the only one that has stock of the variant, 0 included, or
 * without any, the one with the id of the store. Null where several have stock.
 */
export const unnamedWarehouse = (warehouseIds: readonly string[], storeId: string): string | null => {
  const [only = storeId, ...others] = warehouseIds;
  return others.length === 0 ? only : null;
};

/** Says which warehouses have stock of the variant. `advice` says where to name one. */
export const warehouseRequired = (warehouseIds: readonly string[], advice: string): Refusal<'warehouse_required'> => {
  const more = warehouseIds.length - MAX_NAMED;
  const named = warehouseIds.slice(0, MAX_NAMED).join(', ');
  const list = more > 0 ? `${named} and ${String(more)} more` : named;
  return refuse('warehouse_required', `The variant has stock in ${String(warehouseIds.length)} warehouses: ${list}. ${advice}`);
};
