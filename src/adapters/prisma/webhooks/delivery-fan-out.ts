import type { FannedOut } from '../../../domain/ports/webhooks/delivery-repository.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';
import { ACCEPTED_SCOPES, mayReceive } from './delivery-matching.ts';
import { MUST_BE_PLACED, withPlace } from './event-places.ts';
import { beginFanOut } from '../work/fan-out-lock.ts';

/**
 * `taken` is SQL for the ids of events, with the order (seq) in which they get their places. `condition` is SQL on
 * a taken event `t`: whether it is delivered.
 */
const fanningOut = (taken: string, condition = 'true'): string => `
  WITH taken AS (${taken}
  ), ends AS (
    INSERT INTO feed_heads AS h (store_id, head) SELECT $storeId, count(*) FROM taken HAVING count(*) > 0
    ON CONFLICT (store_id) DO UPDATE SET head = h.head + excluded.head
    RETURNING h.head
  ), began AS (
    INSERT INTO feed_epochs (store_id, epoch, began)
    SELECT $storeId, p.id, e.head - (SELECT count(*) FROM taken) FROM ends e CROSS JOIN (SELECT id FROM epochs ORDER BY number DESC LIMIT 1) p
    ON CONFLICT DO NOTHING
  ), placed AS (
    INSERT INTO feed (store_id, position, event_id, placed_at)
    SELECT $storeId, e.head + 1 - row_number() OVER (ORDER BY t.seq DESC), t.event_id, statement_timestamp() FROM taken t CROSS JOIN ends e
  ), made AS (
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, next_attempt_at, created_at)
    SELECT uuid7(now_ms()), $storeId, e.id, s.id, s.installation_id, now_ms(), now_ms()
    FROM taken t
      JOIN events e ON e.store_id = $storeId AND e.id = t.event_id
      JOIN subscriptions s ON s.store_id = $storeId AND s.created_at <= e.created_at AND e.type = ANY(s.event_types)
      LEFT JOIN installations i ON i.store_id = $storeId AND i.id = s.installation_id
      LEFT JOIN ${ACCEPTED_SCOPES} ON a.type = e.type
    WHERE ${condition} AND ${mayReceive('e.type', 'e.origin_installation_id')}
    ON CONFLICT DO NOTHING
    RETURNING id, store_id, event_id, subscription_id, next_attempt_at
  ), queued AS (
    INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at) SELECT * FROM made
  )
  SELECT (SELECT count(*) FROM taken)::int AS events, ARRAY(SELECT DISTINCT subscription_id FROM made) AS "subscriptionIds",
    ARRAY(SELECT DISTINCT e.traceparent FROM taken t JOIN events e ON e.store_id = $storeId AND e.id = t.event_id WHERE e.traceparent IS NOT NULL) AS traceparents`;

const FANNED_OUT = { events: 'int4', subscriptionIds: 'uuid[]', traceparents: 'text[]' } as const;

const TAKE_AND_DELIVER = statement({
  text: fanningOut(`
    DELETE FROM pending_events WHERE store_id = $storeId
      AND seq = ANY (ARRAY(SELECT seq FROM pending_events WHERE store_id = $storeId ORDER BY seq LIMIT $limit))
    RETURNING event_id, seq`),
  parameters: { storeId: 'uuid', limit: 'int8' },
  row: FANNED_OUT,
});

/** Of events that neither have a place nor wait for one. */
const PLACE_AND_DELIVER = statement({
  text: fanningOut(
    `
    SELECT e.id AS event_id, row_number() OVER (ORDER BY e.created_at, e.id) AS seq,
      e.created_at > statement_timestamp() - make_interval(secs => $deliverSeconds)
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = e.id) AS is_delivered
    FROM events e ${withPlace('$storeId')}
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds) AND e.type <> 'ping' AND ${MUST_BE_PLACED}
      AND f.event_id IS NULL AND p.event_id IS NULL`,
    't.is_delivered',
  ),
  parameters: { storeId: 'uuid', eventIds: 'uuid[]', deliverSeconds: 'float8' },
  row: FANNED_OUT,
});

/**
 * One statement makes a store's waiting events into deliveries, for any number of either, and gives
 * each event its place in the feed. An event is taken once, and what commits now comes later. The first of
 * a store in an epoch also records where the epoch began.
 */
export const fanOut = (database: Database, storeId: string, limit: number): Promise<FannedOut> =>
  database.transaction(async (sql) => {
    await beginFanOut(sql, storeId);
    const [row] = await sql.rows(TAKE_AND_DELIVER, { storeId, limit });
    return row ?? { events: 0, subscriptionIds: [], traceparents: [] };
  });

/**
 * Gives places to those of the events that lack one, in the order in which they were recorded, and makes the
 * deliveries of those that a fan-out never took.
 */
export const placeUnplaced = (
  database: Database,
  storeId: string,
  eventIds: readonly string[],
  deliverSeconds: number,
): Promise<FannedOut> =>
  database.transaction(async (sql) => {
    await beginFanOut(sql, storeId);
    const [row] = await sql.rows(PLACE_AND_DELIVER, { storeId, eventIds, deliverSeconds });
    return row ?? { events: 0, subscriptionIds: [], traceparents: [] };
  });
