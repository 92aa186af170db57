import type { FannedOut } from '../../../domain/ports/webhooks/delivery-repository.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { ACCEPTED_SCOPES, mayReceive } from './delivery-matching.ts';
import { MUST_BE_PLACED, withPlace } from './event-places.ts';
import { beginFanOut } from '../work/fan-out-lock.ts';
import { deliverByOptions, HAS_OPTIONS } from './option-fan-out.ts';

/** The first CTEs of a fan-out. `taken` is SQL for the ids of events, with the order (seq) in which they get their places. */
const placing = (taken: string): string => `
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
  )`;

/** `condition` is SQL on a taken event `t`: whether it is delivered. */
const fanningOut = (taken: string, condition: string): string => `${placing(taken)}, made AS (
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

const onlyPlacing = (taken: string, condition: string): string =>
  `${placing(taken)} SELECT t.event_id AS "eventId", ${condition} AS "isDelivered",
    (SELECT e.traceparent FROM events e WHERE e.store_id = $storeId AND e.id = t.event_id) AS traceparent FROM taken t`;

const FANNED_OUT = { events: 'int4', subscriptionIds: 'uuid[]', traceparents: 'text[]' } as const;
const PLACED = { eventId: 'uuid', isDelivered: 'bool', traceparent: 'text?' } as const;

const TAKEN = `
    DELETE FROM pending_events WHERE store_id = $storeId
      AND seq = ANY (ARRAY(SELECT seq FROM pending_events WHERE store_id = $storeId ORDER BY seq LIMIT $limit))
    RETURNING event_id, seq`;
const TAKE = { storeId: 'uuid', limit: 'int8' } as const;

/** Of events that neither have a place nor wait for one. */
const UNPLACED = `
    SELECT e.id AS event_id, row_number() OVER (ORDER BY e.created_at, e.id) AS seq,
      e.created_at > statement_timestamp() - make_interval(secs => $deliverSeconds)
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = e.id)
        AND NOT EXISTS (SELECT FROM gathered_events g WHERE g.store_id = $storeId AND g.event_id = e.id) AS is_delivered
    FROM events e ${withPlace('$storeId')}
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds) AND e.type <> 'ping' AND ${MUST_BE_PLACED}
      AND f.event_id IS NULL AND p.event_id IS NULL`;
const PLACE = { storeId: 'uuid', eventIds: 'uuid[]', deliverSeconds: 'float8' } as const;

const TAKE_AND_DELIVER = statement({ text: fanningOut(TAKEN, 'true'), parameters: TAKE, row: FANNED_OUT });
const TAKE_ALONE = statement({ text: onlyPlacing(TAKEN, 'true'), parameters: TAKE, row: PLACED });
const PLACE_AND_DELIVER = statement({ text: fanningOut(UNPLACED, 't.is_delivered'), parameters: PLACE, row: FANNED_OUT });
const PLACE_ALONE = statement({ text: onlyPlacing(UNPLACED, 't.is_delivered'), parameters: PLACE, row: PLACED });

/**
 * One statement makes events into deliveries and gives them their places. Where a subscription of the store
 * has options, its deliveries are decided between two.
 */
const inStore = (
  database: Database,
  storeId: string,
  whole: (sql: Sql) => Promise<FannedOut[]>,
  place: (sql: Sql) => Promise<NonNullable<typeof TAKE_ALONE.row>[]>,
): Promise<FannedOut> =>
  database.transaction(async (sql) => {
    // They leave in one write. A change of options excludes fan-outs, so it stays so to the end.
    const [, [options]] = await Promise.all([beginFanOut(sql, storeId), sql.rows(HAS_OPTIONS, { storeId })]);
    if (options?.found !== true) return (await whole(sql))[0] ?? { events: 0, subscriptionIds: [], traceparents: [] };
    const placed = await place(sql);
    const eventIds = placed.filter(({ isDelivered }) => isDelivered).map(({ eventId }) => eventId);
    const traceparents = [...new Set(placed.flatMap(({ traceparent }) => traceparent ?? []))];
    return { events: placed.length, subscriptionIds: await deliverByOptions(sql, storeId, eventIds), traceparents };
  });

/**
 * Makes a store's waiting events into deliveries, for any number of either, and gives
 * each event its place in the feed. An event is taken once, and what commits now comes later. The first of
 * a store in an epoch also records where the epoch began.
 */
export const fanOut = (database: Database, storeId: string, limit: number): Promise<FannedOut> =>
  inStore(
    database,
    storeId,
    (sql) => sql.rows(TAKE_AND_DELIVER, { storeId, limit }),
    (sql) => sql.rows(TAKE_ALONE, { storeId, limit }),
  );

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
  inStore(
    database,
    storeId,
    (sql) => sql.rows(PLACE_AND_DELIVER, { storeId, eventIds, deliverSeconds }),
    (sql) => sql.rows(PLACE_ALONE, { storeId, eventIds, deliverSeconds }),
  );
