import { isEqual } from '../values/equal.ts';
import type { NewEvent } from '../webhooks/event.ts';
import { available, type BulkStock, type BulkVariant, type StockNote, type VariantWrite } from './bulk-variant.ts';
import { live } from './live.ts';
import type { Variant } from './product.ts';
import type { WarehouseNames } from './warehouse.ts';

type Stock = Pick<BulkStock, 'warehouseId' | 'available' | 'onHand' | 'reserved'>;

/** The figures of a variant that its events show. `stock` has no deleted rows. */
export type VariantFigures = Pick<BulkVariant, 'id' | 'sku' | 'price' | 'compareAtPrice' | 'isOnSale'> & {
  readonly stock: readonly Stock[];
};

export const figuresOfVariant = (variant: Variant): VariantFigures => {
  const { id, sku, price, compareAtPrice, isOnSale, inventory } = variant;
  return { id, sku, price, compareAtPrice, isOnSale, stock: live(inventory) };
};

/** A variant before and after a write. One of them may be absent: the write added or removed it. */
export interface VariantPair {
  readonly before: VariantFigures | undefined;
  readonly after: VariantFigures | undefined;
  readonly notes?: readonly StockNote[];
}

const pricesOf = ({ price, compareAtPrice, isOnSale }: VariantFigures) => ({ price, compareAtPrice, isOnSale });

/** The variants of both states with new prices. */
export const priceChanges = (pairs: readonly VariantPair[]) =>
  pairs.flatMap(({ before, after }) => {
    if (before === undefined || after === undefined) return [];
    const [previous, current] = [pricesOf(before), pricesOf(after)];
    return isEqual(previous, current) ? [] : [{ productVariantId: after.id, sku: after.sku, previous, current }];
  });

const NO_STOCK = { available: 0, onHand: 0, reserved: 0 };

const figuresIn = (variant: VariantFigures | undefined, warehouseId: string) => {
  const found = variant?.stock.find((stock) => stock.warehouseId === warehouseId);
  return found === undefined ? NO_STOCK : { available: found.available, onHand: found.onHand, reserved: found.reserved };
};

const warehousesOf = (variant: VariantFigures | undefined): string[] =>
  variant?.stock.map(({ warehouseId }) => warehouseId) ?? [];

/** Each warehouse in which the figures of the variant differ. */
const warehouseChanges = ({ before, after, notes = [] }: VariantPair, nameOf: WarehouseNames) =>
  [...new Set([...warehousesOf(before), ...warehousesOf(after)])].flatMap((warehouseId) => {
    const [previous, current] = [figuresIn(before, warehouseId), figuresIn(after, warehouseId)];
    if (isEqual(previous, current)) return [];
    const { reason = null, reference = null } = notes.find((note) => note.warehouseId === warehouseId) ?? {};
    const name = nameOf(warehouseId);
    return [{ productVariantId: (after ?? before)?.id, warehouseId, name, previous, current, reason, reference }];
  });

const totalOf = (variant: VariantFigures | undefined): number => (variant === undefined ? 0 : available(variant));

/** The data of an inventory.updated event: the totals of each variant, and the warehouses that changed. Null where no stock did. */
export const stockChange = (pairs: readonly VariantPair[], nameOf: WarehouseNames) => {
  const changed = pairs
    .map((pair) => ({ pair, warehouses: warehouseChanges(pair, nameOf) }))
    .filter(({ warehouses }) => warehouses.length > 0);
  if (changed.length === 0) return null;
  const variants = changed.map(({ pair: { before, after } }) => {
    const { id, sku } = after ?? before ?? {};
    return { productVariantId: id, sku, previous: totalOf(before), current: totalOf(after) };
  });
  return { variants, warehouses: changed.flatMap(({ warehouses }) => warehouses) };
};

const byProduct = (writes: readonly VariantWrite[]): Map<string, VariantWrite[]> => {
  const products = new Map<string, VariantWrite[]>();
  for (const write of writes) {
    const { productId } = write.after;
    products.set(productId, [...(products.get(productId) ?? []), write]);
  }
  return products;
};

interface VariantUpdate {
  readonly storeId: string;
  /** The installation that made the change. Null for the merchant. */
  readonly origin: string | null;
  readonly nameOf: WarehouseNames;
}

/**
 * The events of a bulk update of variants: for each product one for the prices and one for the
 * stock that changed. A document that changes the same figures has the same events (productEvents).
 */
export const variantEvents = ({ storeId, origin, nameOf }: VariantUpdate, writes: readonly VariantWrite[]): NewEvent[] =>
  [...byProduct(writes)].flatMap(([id, own]) => {
    const event = (type: NewEvent['type'], data: NewEvent['data']): NewEvent => ({ storeId, type, resourceId: id, origin, data });
    const variants = priceChanges(own);
    const stock = stockChange(own, nameOf);
    return [
      ...(variants.length > 0
        ? [event('product.updated', { id, changedFields: ['variants'], previous: {}, current: {}, variants, origin })]
        : []),
      ...(stock === null ? [] : [event('inventory.updated', { id, ...stock, origin })]),
    ];
  });
