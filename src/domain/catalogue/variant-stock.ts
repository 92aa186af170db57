import { ok, refuse, type Result } from '../result.ts';
import { MAX_INT32 } from '../values/int32.ts';
import type { BulkStock, BulkVariant } from './bulk-variant.ts';
import type { StockChange, VariantErrorCode } from './variant-change.ts';

/** The stock of a variant in a warehouse. The stamp is null where the warehouse never had any. */
export interface PresentStock extends Omit<BulkStock, 'id' | 'concurrencyStamp'> {
  readonly concurrencyStamp: string | null;
}

// Members are named here and below: a rest of an object takes 280 ns, and this takes 40. A request has hundreds of them.
export const presentStock = ({ stock }: BulkVariant, warehouseId: string): PresentStock => {
  const known = stock.find((at) => at.warehouseId === warehouseId);
  if (known === undefined) return { warehouseId, available: 0, onHand: 0, reserved: 0, concurrencyStamp: null };
  const { available, onHand, reserved, concurrencyStamp } = known;
  return { warehouseId, available, onHand, reserved, concurrencyStamp };
};

const isStale = ({ ifAvailable, ifStamp }: StockChange, present: PresentStock): boolean =>
  (ifAvailable !== null && ifAvailable !== present.available) || (ifStamp !== null && ifStamp !== present.concurrencyStamp);

export const isInt32 = (value: number): boolean => value >= -MAX_INT32 - 1 && value <= MAX_INT32;

export const TOO_LARGE = refuse('invalid_value', 'The stock would not fit into a 32-bit integer.');

/** What is reserved stays: the stock on hand changes with the available one. */
export const changeStock = (
  variant: BulkVariant,
  change: StockChange,
  nextId: () => string,
): Result<BulkVariant, VariantErrorCode> => {
  const present = presentStock(variant, change.warehouseId);
  if (isStale(change, present)) return refuse('stale', 'The stock is not the expected one. The result has the present stock.');
  const next = 'set' in change.to ? change.to.set : present.available + change.to.adjust;
  if (next === present.available) return ok(variant);
  if (next < 0 && next < present.available) return refuse('would_be_negative', 'The available stock would be negative.');
  const onHand = present.onHand + next - present.available;
  if (!isInt32(next) || !isInt32(onHand)) return TOO_LARGE;
  const known = variant.stock.find(({ warehouseId }) => warehouseId === change.warehouseId);
  const { warehouseId, reserved } = present;
  const changed = { id: known?.id ?? nextId(), warehouseId, available: next, onHand, reserved, concurrencyStamp: nextId() };
  const stock = known ? variant.stock.map((at) => (at === known ? changed : at)) : [...variant.stock, changed];
  const { id, productId, sku, price, compareAtPrice, isOnSale, totalInventory } = variant;
  return ok({ id, productId, sku, price, compareAtPrice, isOnSale, totalInventory, stock });
};
