import {
  available,
  changedStock,
  hasNewPrice,
  type BulkVariant,
  type VariantWrite,
} from '../../../domain/catalogue/bulk-variant.ts';
import type { BulkVariantRepository } from '../../../domain/ports/catalogue/bulk-variant-repository.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { LOAD, LOCK, WRITE } from './bulk-variant-statements.ts';

const column = <T, K extends keyof T>(rows: readonly T[], field: K): T[K][] => rows.map((row) => row[field]);

interface ProductChange {
  readonly id: string;
  readonly growth: number;
  readonly isPriced: boolean;
}

/** What the variants change in the figures of their products. */
const productChanges = (writes: readonly VariantWrite[]): ProductChange[] => {
  const products = new Map<string, ProductChange>();
  for (const write of writes) {
    const { productId: id } = write.after;
    const { growth, isPriced } = products.get(id) ?? { growth: 0, isPriced: false };
    const change = available(write.after) - available(write.before);
    products.set(id, { id, growth: growth + change, isPriced: isPriced || hasNewPrice(write) });
  }
  return [...products.values()];
};

/** By whether the warehouse has a row of the variant. */
const stockChanges = (writes: readonly VariantWrite[]) => {
  const rows = writes.flatMap((write) => {
    const known = new Set(write.before.stock.map(({ id }) => id));
    return changedStock(write).map((stock) => ({ ...stock, variantId: write.after.id, isNew: !known.has(stock.id) }));
  });
  return { changed: rows.filter(({ isNew }) => !isNew), added: rows.filter(({ isNew }) => isNew) };
};

const write = (sql: TransactionSql, storeId: string, writes: readonly VariantWrite[], now: string): void => {
  const { changed, added } = stockChanges(writes);
  const priced = column(writes.filter(hasNewPrice), 'after');
  const products = productChanges(writes);
  sql.enqueue(WRITE, {
    storeId,
    now,
    ids: column(priced, 'id'),
    prices: column(priced, 'price'),
    compareAtPrices: column(priced, 'compareAtPrice'),
    onSales: column(priced, 'isOnSale'),
    stockIds: column(changed, 'id'),
    availables: column(changed, 'available'),
    onHands: column(changed, 'onHand'),
    stamps: column(changed, 'concurrencyStamp'),
    addedIds: column(added, 'id'),
    addedTo: column(added, 'variantId'),
    warehouseIds: column(added, 'warehouseId'),
    addedAvailables: column(added, 'available'),
    addedOnHands: column(added, 'onHand'),
    addedStamps: column(added, 'concurrencyStamp'),
    productIds: column(products, 'id'),
    growths: column(products, 'growth'),
    arePriced: column(products, 'isPriced'),
  });
};

/**
 * Both statements leave together. The second sees what others committed while the first waited. It
 * may find a variant that has moved to another product meanwhile, or a product that is new: then
 * both run again.
 */
const lockAndLoad = async (
  sql: TransactionSql,
  storeId: string,
  ids: readonly string[],
  skus: readonly string[],
): Promise<BulkVariant[]> => {
  const [locked, found] = await Promise.all([sql.rows(LOCK, { storeId, ids, skus }), sql.rows(LOAD, { storeId, ids, skus })]);
  const products = new Set(locked.map(({ id }) => id));
  return found.every(({ productId }) => products.has(productId)) ? found : lockAndLoad(sql, storeId, ids, skus);
};

export const bulkVariantRepository = (sql: TransactionSql): BulkVariantRepository => ({
  lock: (storeId, { ids, skus }) => lockAndLoad(sql, storeId, ids, skus),
  update: (storeId, writes, now) => {
    if (writes.length > 0) write(sql, storeId, writes, now);
    return Promise.resolve();
  },
});
