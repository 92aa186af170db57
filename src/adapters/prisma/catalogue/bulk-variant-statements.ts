import type { BulkStock } from '../../../domain/catalogue/bulk-variant.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { NEW_REVISION } from '../reading/revision.ts';

export const NAMES = { storeId: 'uuid', ids: 'uuid[]', skus: 'text[]' } as const;

/** Each half has its index. */
export const NAMED = (columns: string): string => `
  SELECT ${columns} FROM variants WHERE store_id = $storeId AND id = ANY ($ids) AND deleted_at IS NULL
  UNION
  SELECT ${columns} FROM variants WHERE store_id = $storeId AND sku = ANY ($skus) AND deleted_at IS NULL`;

/** The row of a product is the lock of its variants and of their stock (work/catalogue-lock.ts). */
export const LOCK = statement({
  text: `
    SELECT id FROM products
    WHERE store_id = $storeId AND id = ANY (ARRAY(${NAMED('product_id')})) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
  parameters: NAMES,
  row: { id: 'uuid' },
});

export const LOAD = statement({
  text: `
    SELECT v.id, v.product_id AS "productId", v.sku, v.price, v.compare_at_price AS "compareAtPrice", v.is_on_sale AS "isOnSale",
      p.total_inventory AS "totalInventory",
      coalesce((
        SELECT json_agg(json_build_object('id', i.id, 'warehouseId', i.warehouse_id, 'available', i.available, 'onHand', i.on_hand,
          'reserved', i.reserved, 'concurrencyStamp', i.concurrency_stamp) ORDER BY i.ordinal)
        FROM inventory i WHERE i.store_id = $storeId AND i.product_variant_id = v.id AND i.deleted_at IS NULL), '[]') AS stock
    FROM (${NAMED('id, product_id, sku, price, compare_at_price, is_on_sale')}) v
    JOIN products p ON p.store_id = $storeId AND p.id = v.product_id AND p.deleted_at IS NULL
    ORDER BY v.id`,
  parameters: NAMES,
  row: {
    id: 'uuid!',
    productId: 'uuid!',
    sku: 'text!',
    price: 'float8!',
    compareAtPrice: 'float8?',
    isOnSale: 'bool!',
    totalInventory: 'int4',
    stock: json<BulkStock[]>('json'),
  },
});

/**
 * The prices of the product list are those of all live variants, with what this statement writes. An
 * added stock may have a row that is deleted. The ids are named twice, so that no plan reads the whole
 * store.
 */
export const WRITE = statement({
  text: `
    WITH change AS (
      SELECT * FROM unnest($ids::uuid[], $prices::float8[], $compareAtPrices::float8[], $onSales::bool[])
        AS c(id, price, compare_at_price, is_on_sale)),
    priced AS (
      UPDATE variants v SET price = c.price, compare_at_price = c.compare_at_price, is_on_sale = c.is_on_sale, updated_at = $now::timestamptz
      FROM change c WHERE v.store_id = $storeId AND v.id = ANY ($ids) AND v.id = c.id),
    stocked AS (
      UPDATE inventory i SET available = s.available, on_hand = s.on_hand, concurrency_stamp = s.stamp, updated_at = $now::timestamptz
      FROM unnest($stockIds::uuid[], $availables::int[], $onHands::int[], $stamps::uuid[]) AS s(id, available, on_hand, stamp)
      WHERE i.store_id = $storeId AND i.id = ANY ($stockIds) AND i.id = s.id),
    added AS (
      INSERT INTO inventory (store_id, id, product_variant_id, ordinal, warehouse_id, available, on_hand, reserved, concurrency_stamp, created_at)
      SELECT $storeId, a.id, a.variant_id,
        a.nth + (SELECT coalesce(max(i.ordinal), -1) FROM inventory i WHERE i.store_id = $storeId AND i.product_variant_id = a.variant_id),
        a.warehouse_id, a.available, a.on_hand, 0, a.stamp, $now::timestamptz
      FROM unnest($addedIds::uuid[], $addedTo::uuid[], $warehouseIds::uuid[], $addedAvailables::int[], $addedOnHands::int[], $addedStamps::uuid[])
        WITH ORDINALITY AS a(id, variant_id, warehouse_id, available, on_hand, stamp, nth)
      ON CONFLICT (store_id, product_variant_id, warehouse_id) DO UPDATE SET available = excluded.available, on_hand = excluded.on_hand,
        reserved = 0, concurrency_stamp = excluded.concurrency_stamp, updated_at = excluded.created_at, deleted_at = NULL),
    figures AS (
      SELECT g.id, g.growth, min(coalesce(c.price, v.price)) AS least, max(coalesce(c.price, v.price)) AS most
      FROM unnest($productIds::uuid[], $growths::int8[], $arePriced::bool[]) AS g(id, growth, is_priced)
      LEFT JOIN variants v ON g.is_priced AND v.store_id = $storeId AND v.product_id = g.id AND v.deleted_at IS NULL
      LEFT JOIN change c ON c.id = v.id GROUP BY g.id, g.growth)
    UPDATE products p SET total_inventory = p.total_inventory + f.growth, min_price = coalesce(f.least, p.min_price),
      max_price = coalesce(f.most, p.max_price), updated_at = $now::timestamptz, revision = ${NEW_REVISION}
    FROM figures f
    WHERE p.store_id = $storeId AND p.id = ANY ($productIds) AND p.id = f.id`,
  parameters: {
    storeId: 'uuid',
    ids: 'uuid[]',
    prices: 'float8[]',
    compareAtPrices: 'float8?[]',
    onSales: 'bool[]',
    stockIds: 'uuid[]',
    availables: 'int4[]',
    onHands: 'int4[]',
    stamps: 'uuid[]',
    addedIds: 'uuid[]',
    addedTo: 'uuid[]',
    warehouseIds: 'uuid[]',
    addedAvailables: 'int4[]',
    addedOnHands: 'int4[]',
    addedStamps: 'uuid[]',
    productIds: 'uuid[]',
    growths: 'int8[]',
    arePriced: 'bool[]',
    now: 'timestamptz',
  },
});
