import type pg from 'pg';

import type { Shop } from './shop.ts';

const SUBSCRIPTIONS = 10;

const KEYS = `
  INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint, status, headers, body, created_at, finished_at)
  SELECT $4::uuid, $1::uuid, 'old-' || n, sha256(n::text::bytea), 200, '{"Content-Type": "application/json; charset=utf-8"}',
    convert_to(repeat('{"requested":1}', 15), 'UTF8'), now() - interval '26 hours', now() - interval '25 hours' - n * interval '1 millisecond'
  FROM generate_series($2::int, $3::int) AS n`;

/** Deliveries of ten deleted subscriptions, with one attempt each. */
const DELIVERIES = `
  WITH told AS (
    INSERT INTO events (id, store_id, type, body, created_at)
    SELECT gen_random_uuid(), $1::uuid, 'product.updated', repeat('{"id":1}', 40), now() - interval '40 days' FROM generate_series($2::int, $3::int, ${SUBSCRIPTIONS})
    RETURNING id
  ), placed AS (
    INSERT INTO feed (store_id, position, event_id, placed_at)
    SELECT $1::uuid, $2::int / ${SUBSCRIPTIONS} + row_number() OVER (), id, now() - interval '40 days' FROM told
  ), ends AS (
    INSERT INTO feed_heads (store_id, head) SELECT $1::uuid, $2::int / ${SUBSCRIPTIONS} + count(*) FROM told
    ON CONFLICT (store_id) DO UPDATE SET head = excluded.head
  ), sent AS (
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, status, attempts, created_at)
    SELECT uuid7(now() - interval '40 days'), $1::uuid, id, md5('subscription' || n)::uuid, 'Delivered', 1, now() - interval '40 days'
    FROM told CROSS JOIN generate_series(1, ${SUBSCRIPTIONS}) AS n RETURNING id
  )
  INSERT INTO delivery_attempts (store_id, delivery_id, number, started_at, duration_ms, status)
  SELECT $1::uuid, id, 1, now() - interval '40 days', 12, 200 FROM sent`;

/**
 * Adds `rows` keys and deliveries that are old enough for the purge, `chunk` of each in a
 * transaction.
 */
export const fillAged = async (
  pool: pg.Pool,
  { storeId, installationId }: Pick<Shop, 'storeId' | 'installationId'>,
  rows: number,
  chunk: number,
): Promise<void> => {
  const client = await pool.connect();
  try {
    // Skips foreign keys: the rows are consistent.
    await client.query('SET session_replication_role = replica');
    for (let from = 1; from <= rows; from += chunk) {
      await client.query(KEYS, [installationId, from, from + chunk - 1, storeId]);
      await client.query(DELIVERIES, [storeId, from, from + chunk - 1]);
      process.stderr.write(`${from + chunk - 1} old keys and deliveries\n`);
    }
    for (const table of ['idempotency_records', 'events', 'feed', 'deliveries', 'delivery_attempts'])
      await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    client.release(true);
  }
};
