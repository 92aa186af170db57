import { SAME_SKU } from '../../../domain/catalogue/bulk-variant.ts';
import type { RowOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

const AT = { storeId: 'uuid', now: 'timestamptz' } as const;

export const NAMES = { storeId: 'uuid', ids: 'uuid[]', skus: 'text[]' } as const;

/** Each half has its index. */
export const NAMED = (columns: string): string => `
  SELECT ${columns} FROM variants WHERE store_id = $storeId AND id = ANY ($ids) AND deleted_at IS NULL
  UNION
  SELECT ${columns} FROM variants WHERE store_id = $storeId AND sku = ANY ($skus) AND deleted_at IS NULL`;

/** Two variants of a SKU tell that it is ambiguous. The others with it stay unread and unlocked. */
const TOLD_APART = (columns: string): string => `
  SELECT ${columns} FROM variants WHERE store_id = $storeId AND id = ANY ($ids) AND deleted_at IS NULL
  UNION
  SELECT ${columns} FROM (
    SELECT v.*, row_number() OVER (PARTITION BY v.sku ORDER BY v.id) AS nth
    FROM variants v JOIN products p ON p.store_id = $storeId AND p.id = v.product_id AND p.deleted_at IS NULL
    WHERE v.store_id = $storeId AND v.sku = ANY ($skus) AND v.deleted_at IS NULL) s
  WHERE nth <= ${SAME_SKU}`;

const LOCKED = { id: 'uuid', totalInventory: 'int4', isLive: 'bool!' } as const;

export type LockedRow = RowOf<typeof LOCKED>;

/**
 * The row of a product is the lock of its variants and of their stock (work/catalogue-lock.ts). It is read behind the
 * lock, so LOAD does not read it again.
 */
export const LOCK_BULK_VARIANT = statement({
  text: `
    SELECT id, total_inventory AS "totalInventory", deleted_at IS NULL AS "isLive" FROM products
    WHERE store_id = $storeId AND id = ANY (ARRAY(${TOLD_APART('product_id')})) ORDER BY id FOR UPDATE`,
  parameters: NAMES,
  row: LOCKED,
});

const LOADED = {
  id: 'uuid!',
  productId: 'uuid!',
  sku: 'text!',
  price: 'float8!',
  compareAtPrice: 'float8?',
  isOnSale: 'bool!',
  stockId: 'uuid?',
  warehouseId: 'uuid?',
  available: 'int4?',
  onHand: 'int4?',
  reserved: 'int4?',
  concurrencyStamp: 'uuid?',
} as const;

export type LoadedRow = RowOf<typeof LOADED>;

/** A row for each stock of a variant, or one without a stock. */
export const LOAD = statement({
  text: `
    SELECT v.id, v.product_id AS "productId", v.sku, v.price, v.compare_at_price AS "compareAtPrice", v.is_on_sale AS "isOnSale",
      i.id AS "stockId", i.warehouse_id AS "warehouseId", i.available, i.on_hand AS "onHand", i.reserved, i.concurrency_stamp AS "concurrencyStamp"
    FROM (${TOLD_APART('id, product_id, sku, price, compare_at_price, is_on_sale')}) v
    LEFT JOIN inventory i ON i.store_id = $storeId AND i.product_variant_id = v.id AND i.deleted_at IS NULL
    ORDER BY v.id, i.ordinal`,
  parameters: NAMES,
  row: LOADED,
});

/**
 * The prices of the product list are those of all live variants, with what this statement writes. The
 * ids are named twice here and below, so that no plan reads the whole store.
 */
export const PRICE = statement({
  text: `
    WITH change AS (
      SELECT * FROM unnest($ids::uuid[], $prices::float8[], $compareAtPrices::float8[], $onSales::bool[])
        AS c(id, price, compare_at_price, is_on_sale)),
    priced AS (
      UPDATE variants v SET price = c.price, compare_at_price = c.compare_at_price, is_on_sale = c.is_on_sale, updated_at = $now::timestamptz
      FROM change c WHERE v.store_id = $storeId AND v.id = ANY ($ids) AND v.id = c.id),
    figures AS (
      SELECT v.product_id AS id, min(coalesce(c.price, v.price)) AS least, max(coalesce(c.price, v.price)) AS most
      FROM variants v LEFT JOIN change c ON c.id = v.id
      WHERE v.store_id = $storeId AND v.product_id = ANY ($productIds) AND v.deleted_at IS NULL GROUP BY v.product_id)
    UPDATE products p SET min_price = f.least, max_price = f.most, updated_at = $now::timestamptz
    FROM figures f WHERE p.store_id = $storeId AND p.id = ANY ($productIds) AND p.id = f.id`,
  parameters: {
    ...AT,
    ids: 'uuid[]',
    prices: 'float8[]',
    compareAtPrices: 'float8?[]',
    onSales: 'bool[]',
    productIds: 'uuid[]',
  },
});

export const STOCK = statement({
  text: `
    WITH stocked AS (
      UPDATE inventory i SET available = s.available, on_hand = s.on_hand, concurrency_stamp = s.stamp, updated_at = $now::timestamptz
      FROM unnest($ids::uuid[], $availables::int[], $onHands::int[], $stamps::uuid[]) AS s(id, available, on_hand, stamp)
      WHERE i.store_id = $storeId AND i.id = ANY ($ids) AND i.id = s.id)
    UPDATE products p SET total_inventory = p.total_inventory + g.growth, updated_at = $now::timestamptz
    FROM unnest($productIds::uuid[], $growths::int8[]) AS g(id, growth)
    WHERE p.store_id = $storeId AND p.id = ANY ($productIds) AND p.id = g.id`,
  parameters: {
    ...AT,
    ids: 'uuid[]',
    availables: 'int4[]',
    onHands: 'int4[]',
    stamps: 'uuid[]',
    productIds: 'uuid[]',
    growths: 'int8[]',
  },
});

/** Stock where the warehouse has no row of the variant, or one that is deleted. STOCK writes its products. */
export const NEW_STOCK = statement({
  text: `
    INSERT INTO inventory (store_id, id, product_variant_id, ordinal, warehouse_id, available, on_hand, reserved, concurrency_stamp, created_at)
    SELECT s.id, a.id, a.variant_id,
      a.nth + (SELECT coalesce(max(i.ordinal), -1) FROM inventory i WHERE i.store_id = $storeId AND i.product_variant_id = a.variant_id),
      a.warehouse_id, a.available, a.on_hand, 0, a.stamp, $now::timestamptz
    FROM stores s CROSS JOIN unnest($ids::uuid[], $variantIds::uuid[], $warehouseIds::uuid[], $availables::int[], $onHands::int[], $stamps::uuid[])
      WITH ORDINALITY AS a(id, variant_id, warehouse_id, available, on_hand, stamp, nth)
    WHERE s.id = $storeId
    ON CONFLICT (store_id, product_variant_id, warehouse_id) DO UPDATE SET available = excluded.available, on_hand = excluded.on_hand,
      reserved = 0, concurrency_stamp = excluded.concurrency_stamp, updated_at = excluded.created_at, deleted_at = NULL`,
  parameters: {
    ...AT,
    ids: 'uuid[]',
    variantIds: 'uuid[]',
    warehouseIds: 'uuid[]',
    availables: 'int4[]',
    onHands: 'int4[]',
    stamps: 'uuid[]',
  },
});
