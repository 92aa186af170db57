import { randomUUID } from 'node:crypto';

import { eventOf, mountBulk, record, type Query } from './claimed.ts';
import { serveCeiling, type Caller } from './serve.ts';

interface Change {
  readonly id: string;
  readonly stock: readonly [{ readonly adjust: number }];
}
interface Row {
  readonly id: string;
  readonly productId: string;
  readonly sku: string;
  readonly stockId: string;
  readonly warehouseId: string;
  readonly warehouse: string;
  readonly available: number;
  readonly onHand: number;
  readonly reserved: number;
}

const STOCKED = 'inventory.updated';
const LOCK = `SELECT id FROM products WHERE store_id = $1 AND id = ANY (ARRAY(
    SELECT product_id FROM variants WHERE store_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL)) AND deleted_at IS NULL
  ORDER BY id FOR UPDATE`;
const LOAD = `SELECT v.id, v.product_id AS "productId", v.sku, i.id AS "stockId", i.warehouse_id AS "warehouseId", coalesce(w.name, i.warehouse_id::text) AS warehouse, i.available,
    i.on_hand AS "onHand", i.reserved
  FROM variants v JOIN inventory i ON i.store_id = $1 AND i.product_variant_id = v.id AND i.deleted_at IS NULL
  LEFT JOIN warehouses w ON w.store_id = $1 AND w.id = i.warehouse_id
  WHERE v.store_id = $1 AND v.id = ANY ($2::uuid[]) AND v.deleted_at IS NULL`;
const UPDATE = `WITH stocked AS (
    UPDATE inventory i SET available = s.available, on_hand = s.on_hand, concurrency_stamp = s.stamp, updated_at = $6::timestamptz
    FROM unnest($2::uuid[], $3::int[], $4::int[], $5::uuid[]) AS s(id, available, on_hand, stamp)
    WHERE i.store_id = $1 AND i.id = ANY ($2) AND i.id = s.id)
  UPDATE products p SET total_inventory = p.total_inventory + g.growth, updated_at = $6::timestamptz, revision = gen_random_uuid()
  FROM unnest($7::uuid[], $8::int[]) AS g(id, growth) WHERE p.store_id = $1 AND p.id = ANY ($7) AND p.id = g.id`;

/** All that Tenon leaves in the tables for adjustments of stock that exists, each of another product. */
const update = async (query: Query, caller: Caller, changes: readonly Change[]): Promise<Buffer> => {
  const { storeId, installationId: origin } = caller;
  const ids = changes.map(({ id }) => id);
  await query('lock', LOCK, [storeId, ids]);
  const rows = new Map((await query<Row>('load', LOAD, [storeId, ids])).map((row) => [row.id, row]));
  if (rows.size < changes.length) throw new Error('a variant is missing');
  const now = new Date().toISOString();
  const changed = changes.map(({ id, stock: [{ adjust }] }) => {
    const row = rows.get(id)!;
    const after = { available: row.available + adjust, onHand: row.onHand + adjust, concurrencyStamp: randomUUID() };
    if (after.available < 0) throw new Error('the stock would be negative');
    return { row, adjust, after };
  });
  await query('update', UPDATE, [
    storeId,
    changed.map(({ row }) => row.stockId),
    changed.map(({ after }) => after.available),
    changed.map(({ after }) => after.onHand),
    changed.map(({ after }) => after.concurrencyStamp),
    now,
    changed.map(({ row }) => row.productId),
    changed.map(({ adjust }) => adjust),
  ]);
  const events = changed.map(({ row, after }) =>
    eventOf(storeId, STOCKED, now, {
      id: row.productId,
      variants: [{ productVariantId: row.id, sku: row.sku, previous: row.available, current: after.available }],
      warehouses: [
        {
          productVariantId: row.id,
          warehouseId: row.warehouseId,
          name: row.warehouse,
          previous: { available: row.available, onHand: row.onHand, reserved: row.reserved },
          current: { available: after.available, onHand: after.onHand, reserved: row.reserved },
          reason: null,
          reference: null,
        },
      ],
      origin,
    }),
  );
  await record(query, caller, STOCKED, events);
  const results = changed.map(({ row: { id, warehouseId, reserved }, after: { available, onHand, concurrencyStamp } }) => {
    const stock = [{ warehouseId, available, onHand, reserved, concurrencyStamp }];
    return { id, status: 'Updated', stock, error: null, errorCode: null };
  });
  return Buffer.from(JSON.stringify({ requested: changes.length, succeeded: changes.length, failed: 0, results }));
};

serveCeiling((kitchen) =>
  mountBulk(kitchen, '/apps/catalog/variants/bulk', (query, caller, body) =>
    update(query, caller, (JSON.parse(body) as { variants: Change[] }).variants),
  ),
);
