import {
  available,
  changedStock,
  hasNewPrice,
  type BulkStock,
  type BulkVariant,
  type VariantNames,
  type VariantWrite,
} from '../../../domain/catalogue/bulk-variant.ts';
import type { BulkVariantRepository } from '../../../domain/ports/catalogue/bulk-variant-repository.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { LOAD, LOCK_BULK_VARIANT, NEW_STOCK, PRICE, STOCK, type LoadedRow, type LockedRow } from './bulk-variant-statements.ts';

const column = <T, K extends keyof T>(rows: readonly T[], field: K): T[K][] => rows.map((row) => row[field]);

/** By how much the stock of each product grows. */
const growthsOf = (writes: readonly VariantWrite[]): Map<string, number> => {
  const growths = new Map<string, number>();
  for (const { before, after } of writes)
    growths.set(after.productId, (growths.get(after.productId) ?? 0) + available(after) - available(before));
  return growths;
};

/** By whether the warehouse has a row of the variant. */
const stockChanges = (writes: readonly VariantWrite[]) => {
  const rows = writes.flatMap((write) => {
    const known = new Set(write.before.stock.map(({ id }) => id));
    return changedStock(write).map((stock) => ({ stock, variantId: write.after.id, isNew: !known.has(stock.id) }));
  });
  return { changed: rows.filter(({ isNew }) => !isNew), added: rows.filter(({ isNew }) => isNew) };
};

const figuresOf = (stocks: readonly BulkStock[]) => ({
  ids: column(stocks, 'id'),
  availables: column(stocks, 'available'),
  onHands: column(stocks, 'onHand'),
  stamps: column(stocks, 'concurrencyStamp'),
});

/** Each statement is sent only where it has something to write. Few requests set prices, and hardly any adds a stock. */
const write = (sql: TransactionSql, storeId: string, writes: readonly VariantWrite[], now: string): void => {
  const at = { storeId, now };
  const priced = column(writes.filter(hasNewPrice), 'after');
  if (priced.length > 0)
    sql.enqueue(PRICE, {
      ...at,
      ids: column(priced, 'id'),
      prices: column(priced, 'price'),
      compareAtPrices: column(priced, 'compareAtPrice'),
      onSales: column(priced, 'isOnSale'),
      productIds: [...new Set(column(priced, 'productId'))],
    });
  const { changed, added } = stockChanges(writes);
  if (changed.length + added.length === 0) return;
  const growths = growthsOf(writes.filter((one) => changedStock(one).length > 0));
  const fresh = column(added, 'stock');
  if (fresh.length > 0)
    sql.enqueue(NEW_STOCK, {
      ...at,
      ...figuresOf(fresh),
      variantIds: column(added, 'variantId'),
      warehouseIds: column(fresh, 'warehouseId'),
    });
  sql.enqueue(STOCK, {
    ...at,
    ...figuresOf(column(changed, 'stock')),
    productIds: [...growths.keys()],
    growths: [...growths.values()],
  });
};

type StockRow = LoadedRow &
  Record<'stockId' | 'warehouseId' | 'concurrencyStamp', string> &
  Record<'available' | 'onHand' | 'reserved', number>;

const isStock = (row: LoadedRow): row is StockRow => row.stockId !== null;

interface Loaded extends BulkVariant {
  readonly stock: BulkStock[];
}

/** The variants of products that are not deleted. The rows are sorted by their variants. */
const variantsOf = (rows: readonly LoadedRow[], products: ReadonlyMap<string, LockedRow>): Loaded[] => {
  const variants: Loaded[] = [];
  for (const row of rows) {
    const { id, productId, sku, price, compareAtPrice, isOnSale } = row;
    const product = products.get(productId);
    if (!product?.isLive) continue;
    const { totalInventory } = product;
    const last = variants.at(-1);
    const isNew = last?.id !== id;
    const variant = isNew ? { id, productId, sku, price, compareAtPrice, isOnSale, totalInventory, stock: [] } : last;
    if (isNew) variants.push(variant);
    if (!isStock(row)) continue;
    const { stockId, warehouseId, available: left, onHand, reserved, concurrencyStamp } = row;
    variant.stock.push({ id: stockId, warehouseId, available: left, onHand, reserved, concurrencyStamp });
  }
  return variants;
};

/**
 * Both statements leave together. The second sees what others committed while the first waited. It
 * may find a variant that has moved to another product meanwhile, or a product that is new: then
 * both run again.
 */
const lockAndLoad = async (sql: TransactionSql, storeId: string, { ids, skus }: VariantNames): Promise<BulkVariant[]> => {
  const names = { storeId, ids, skus };
  const [locked, rows] = await Promise.all([sql.rows(LOCK_BULK_VARIANT, names), sql.rows(LOAD, names)]);
  const products = new Map(locked.map((product) => [product.id, product]));
  return rows.every(({ productId }) => products.has(productId)) ? variantsOf(rows, products) : lockAndLoad(sql, storeId, names);
};

export const bulkVariantRepository = (sql: TransactionSql): BulkVariantRepository => ({
  lock: (storeId, names) => lockAndLoad(sql, storeId, names),
  update: (storeId, writes, now) => {
    write(sql, storeId, writes, now);
    return Promise.resolve();
  },
});
