import type { Inventory, Variant } from './product.ts';

export type BulkStock = Pick<Inventory, 'id' | 'warehouseId' | 'available' | 'onHand' | 'reserved' | 'concurrencyStamp'>;

/** The fields that a bulk update of variants can change, with those that its rules read. */
export interface BulkVariant extends Pick<Variant, 'id' | 'productId' | 'sku' | 'price' | 'compareAtPrice' | 'isOnSale'> {
  /** The available stock of the whole product. */
  readonly totalInventory: number;
  readonly stock: readonly BulkStock[];
}

/** Limit of a list of SKUs or ids. */
export const MAX_VARIANT_NAMES = 250;

export interface VariantNames {
  readonly ids: readonly string[];
  readonly skus: readonly string[];
}

/** Variants of one SKU that an update reads: two tell that it is ambiguous. */
export const SAME_SKU = 2;

/** The caller's words about a change of stock, for the readers of its event. */
export interface StockNote {
  readonly warehouseId: string;
  /** A short text. */
  readonly reason: string | null;
  /** An id of the caller's own, such as that of a stocktaking. */
  readonly reference: string | null;
}

export interface VariantWrite {
  readonly before: BulkVariant;
  readonly after: BulkVariant;
  /** Absent for none. */
  readonly notes?: readonly StockNote[];
}

export const available = ({ stock }: { readonly stock: readonly { readonly available: number }[] }): number =>
  stock.reduce((total, at) => total + at.available, 0);

export const hasNewPrice = ({ before, after }: VariantWrite): boolean =>
  before.price !== after.price || before.compareAtPrice !== after.compareAtPrice;

/** The stock that differs: only a change gives a new stamp. */
export const changedStock = ({ before, after }: VariantWrite): BulkStock[] => {
  const stamps = new Set(before.stock.map(({ concurrencyStamp }) => concurrencyStamp));
  return after.stock.filter(({ concurrencyStamp }) => !stamps.has(concurrencyStamp));
};
