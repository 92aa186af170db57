import {
  changedStock,
  hasNewPrice,
  SAME_SKU,
  type BulkVariant,
  type VariantNames,
} from '../../../src/domain/catalogue/bulk-variant.ts';
import { listFigures } from '../../../src/domain/catalogue/list-figures.ts';
import type { Inventory, Product, Variant } from '../../../src/domain/catalogue/product.ts';
import type { BulkVariantRepository } from '../../../src/domain/ports/catalogue/bulk-variant-repository.ts';
import { liveProducts, lockProducts, productsOf } from './catalogue-tables.ts';
import type { TransactionLocks } from '../locks.ts';
import type { MemoryState } from '../state.ts';

export const isNamed = ({ id, sku, isDeleted }: Variant, names: VariantNames): boolean =>
  !isDeleted && (names.ids.includes(id) || names.skus.includes(sku));

const bulkView = (
  product: Product,
  { id, productId, sku, price, compareAtPrice, isOnSale, inventory }: Variant,
): BulkVariant => ({
  id,
  productId,
  sku,
  price,
  compareAtPrice,
  isOnSale,
  totalInventory: listFigures(product).totalInventory,
  stock: inventory
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ id: stockId, warehouseId, available, onHand, reserved, concurrencyStamp }) => ({
      id: stockId,
      warehouseId,
      available,
      onHand,
      reserved,
      concurrencyStamp,
    })),
});

export const bulkVariantRepository = (state: MemoryState, locks: TransactionLocks): BulkVariantRepository => {
  const named = (storeId: string, names: VariantNames): BulkVariant[] => {
    const found = liveProducts(state, storeId)
      .flatMap((product) => product.variants.filter((variant) => isNamed(variant, names)).map((of) => bulkView(product, of)))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const isFirst = ({ id, sku }: BulkVariant): boolean =>
      found.filter((other) => other.sku === sku && other.id < id).length < SAME_SKU;
    return found.filter((one) => names.ids.includes(one.id) || isFirst(one));
  };
  return {
    lock: async (storeId, names) => {
      const locked = new Set<string>();
      for (;;) {
        const found = named(storeId, names);
        const others = found.map(({ productId }) => productId).filter((id) => !locked.has(id));
        if (others.length === 0) return found;
        await lockProducts(locks, storeId, others);
        for (const id of others) locked.add(id);
      }
    },
    update: async (storeId, writes, now) => {
      for (const write of writes) {
        const { after } = write;
        const product = productsOf(state).get(`${storeId}/${after.productId}`);
        if (!product) throw new Error(`product ${after.productId} was not locked`);
        const withStock = (inventory: readonly Inventory[]): Inventory[] => {
          const rows = new Map(inventory.map((row) => [row.warehouseId, row]));
          for (const stock of changedStock(write)) {
            const made = { tenantId: storeId, productVariantId: after.id, createdAt: now };
            const { id, ...row } = rows.get(stock.warehouseId) ?? { ...made, id: stock.id };
            const updatedAt = rows.has(stock.warehouseId) ? now : null;
            rows.set(stock.warehouseId, { ...row, ...stock, id, updatedAt, deletedAt: null, isDeleted: false });
          }
          return [...rows.values()];
        };
        const { price, compareAtPrice, isOnSale } = after;
        const variants = product.variants.map((variant) =>
          variant.id === after.id
            ? {
                ...variant,
                price,
                compareAtPrice,
                isOnSale,
                updatedAt: hasNewPrice(write) ? now : variant.updatedAt,
                inventory: withStock(variant.inventory),
              }
            : variant,
        );
        productsOf(state).set(`${storeId}/${product.id}`, { ...product, variants, updatedAt: now });
      }
    },
  };
};
