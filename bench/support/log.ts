import type pg from 'pg';

import type { Shop } from './shop.ts';

/** Deliveries of each event: one to each subscription. */
const SUBSCRIPTIONS = 10;

/**
 * A tenth of the events has the second type. The newest is as old as a millisecond for each event
 * that follows.
 */
const EVENTS = `
  INSERT INTO events (id, store_id, type, resource_id, body, created_at)
  SELECT md5('event' || n)::uuid, $1::uuid, CASE WHEN n % 10 = 0 THEN 'order.paid' ELSE 'product.updated' END, 'resource-' || n % 1000,
    repeat('{"id":1}', 40), now() - ($4::int - n) * interval '1 second'
  FROM generate_series($2::int, $3::int) AS n`;

/** 1 % failed, half of them after a timeout. Every thousandth waits for its next attempt. */
const DELIVERIES = `
  INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, status, attempts, error, next_attempt_at, created_at)
  SELECT uuid7(e.at), $1::uuid, md5('event' || n)::uuid, s.id, s.installation_id, k.status, 1,
    CASE WHEN k.status = 'Failed' THEN CASE WHEN e.dice % 200 < 100 THEN 'timeout' ELSE 'http_5xx' END END,
    CASE WHEN k.status = 'Pending' THEN e.at + interval '40 days' END, e.at
  FROM generate_series($2::int, $3::int) AS n
    CROSS JOIN (SELECT id, installation_id, row_number() OVER (ORDER BY id) AS place FROM subscriptions WHERE store_id = $1) s
    CROSS JOIN LATERAL (SELECT now() - ($4::int - n) * interval '1 second' AS at, abs(hashint8(n::bigint * ${SUBSCRIPTIONS} + s.place)) AS dice) e
    CROSS JOIN LATERAL (SELECT CASE WHEN e.dice % 100 = 0 THEN 'Failed' WHEN e.dice % 1000 = 1 THEN 'Pending' ELSE 'Delivered' END AS status) k`;

const QUEUE = `
  INSERT INTO delivery_queue (delivery_id, subscription_id, store_id, event_id, due_at, attempts, tries)
  SELECT id, subscription_id, store_id, event_id, next_attempt_at, attempts, attempts FROM deliveries WHERE next_attempt_at IS NOT NULL`;

/** Fills the log with `rows` deliveries to ten subscriptions of the shop, and gives one of these. */
export const fillLog = async (
  pool: pg.Pool,
  { storeId, installationId }: Pick<Shop, 'storeId' | 'installationId'>,
  rows: number,
  chunk: number,
): Promise<string> => {
  const types = ['order.paid', 'product.updated'];
  const made = await pool.query<{ id: string }>(
    `INSERT INTO subscriptions (id, store_id, installation_id, url, event_types)
     SELECT gen_random_uuid(), $1, $2, 'https://hooks.example.com/', $3 FROM generate_series(1, ${SUBSCRIPTIONS}) RETURNING id`,
    [storeId, installationId, types],
  );
  const events = rows / SUBSCRIPTIONS;
  const step = chunk / SUBSCRIPTIONS;
  for (let from = 1; from <= events; from += step) {
    const range = [storeId, from, Math.min(from + step - 1, events), events];
    await pool.query(EVENTS, range);
    await pool.query(DELIVERIES, range);
    process.stderr.write(`${Math.min(from + step - 1, events) * SUBSCRIPTIONS} deliveries\n`);
  }
  await pool.query(QUEUE);
  for (const table of ['events', 'deliveries', 'delivery_queue']) await pool.query(`VACUUM ANALYZE ${table}`);
  return made.rows[0]?.id ?? '';
};
