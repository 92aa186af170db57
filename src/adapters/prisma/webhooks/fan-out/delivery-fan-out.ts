import type { FannedOut } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import type { Database } from '../../connection/database.ts';
import type { Sql, TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { audienceOf } from '../feed/audience.ts';
import { mayReceive } from './delivery-matching.ts';
import { eachOf, MUST_BE_PLACED, withPlace } from '../feed/event-places.ts';
import { deliveryId, NOW, QUEUE_NEW } from '../queue/new-delivery.ts';
import { beginFanOut } from '../../work/fan-out-lock.ts';
import { deliverByOptions, HAS_OPTIONS } from './option-fan-out.ts';

/** Beside each event, how it is fanned out. The newest epoch is null where the feed of the store has begun it. */
const HOW = `${HAS_OPTIONS} AS "hasOptions", (SELECT p.id FROM (SELECT id FROM epochs ORDER BY number DESC LIMIT 1) p
      WHERE NOT EXISTS (SELECT FROM feed_epochs x WHERE x.store_id = $storeId AND x.epoch = p.id)) AS epoch`;

const FOUND = {
  eventId: 'uuid',
  isDelivered: 'bool',
  traceparent: 'text?',
  audience: 'text?',
  hasOptions: 'bool',
  epoch: 'uuid?',
} as const;

/** Takes waiting events, in the order in which they get their places. */
const TAKE = statement({
  text: `
    WITH taken AS (
      DELETE FROM pending_events WHERE store_id = $storeId
        AND seq = ANY (ARRAY(SELECT seq FROM pending_events WHERE store_id = $storeId ORDER BY seq LIMIT $limit))
      RETURNING event_id, seq
    )
    SELECT t.event_id AS "eventId", true AS "isDelivered", e.traceparent, e.audience, ${HOW}
    FROM taken t LEFT JOIN ${eachOf('events', `traceparent, ${audienceOf('')} AS audience`, 'store_id = $storeId AND id = t.event_id')} e ON true
    ORDER BY t.seq`,
  parameters: { storeId: 'uuid', limit: 'int8' },
  row: FOUND,
});

/** Events that neither have a place nor wait for one. */
const FIND_UNPLACED = statement({
  text: `
    SELECT e.id AS "eventId", e.created_at > statement_timestamp() - make_interval(secs => $deliverSeconds)
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = e.id)
        AND NOT EXISTS (SELECT FROM gathered_events g WHERE g.store_id = $storeId AND g.event_id = e.id) AS "isDelivered", e.traceparent, ${audienceOf('e.')} AS audience, ${HOW}
    FROM events e ${withPlace('$storeId')}
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds) AND e.type <> 'ping' AND ${MUST_BE_PLACED}
      AND f.event_id IS NULL AND p.event_id IS NULL
    ORDER BY e.created_at, e.id`,
  parameters: { storeId: 'uuid', eventIds: 'uuid[]', deliverSeconds: 'float8' },
  row: FOUND,
});

const EXTEND = statement({
  text: `
    INSERT INTO feed_heads AS h (store_id, head) VALUES ($storeId, $count)
    ON CONFLICT (store_id) DO UPDATE SET head = h.head + excluded.head`,
  parameters: { storeId: 'uuid', count: 'int8' },
});

const BEGIN_EPOCH = statement({
  text: `
    INSERT INTO feed_epochs (store_id, epoch, began) SELECT store_id, $epoch, head - $count FROM feed_heads WHERE store_id = $storeId
    ON CONFLICT DO NOTHING`,
  parameters: { storeId: 'uuid', epoch: 'uuid', count: 'int8' },
});

/** The last places of the feed, which EXTEND has made. */
const PLACE = statement({
  text: `
    INSERT INTO feed (store_id, position, event_id, placed_at, audience)
    SELECT h.store_id, h.head - $count + t.place, t.event_id, statement_timestamp(), t.audience
    FROM feed_heads h CROSS JOIN unnest($eventIds::uuid[], $audiences::text[]) WITH ORDINALITY AS t(event_id, audience, place)
    WHERE h.store_id = $storeId`,
  parameters: { storeId: 'uuid', count: 'int8', eventIds: 'uuid[]', audiences: 'text?[]' },
});

const EVENTS = { storeId: 'uuid', eventIds: 'uuid[]' } as const;

const DELIVER = statement({
  text: `
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, next_attempt_at, created_at)
    SELECT ${deliveryId('e.id', 's.id')}, s.store_id, e.id, s.id, s.installation_id, n.at, n.at
    FROM ${NOW} CROSS JOIN events e
      JOIN subscriptions s ON s.store_id = $storeId AND s.created_at <= e.created_at AND e.type = ANY(s.event_types)
      LEFT JOIN installations i ON i.store_id = $storeId AND i.id = s.installation_id
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds) AND ${mayReceive('e.type', 'e.origin_installation_id')}
    ON CONFLICT DO NOTHING`,
  parameters: EVENTS,
});

type Found = NonNullable<(typeof FIND_UNPLACED)['row']>;

/** The subscriptions with new deliveries are known when the transaction has ended. */
const deliver = (sql: TransactionSql, storeId: string, eventIds: readonly string[]): (() => readonly string[]) => {
  sql.enqueue(DELIVER, { storeId, eventIds });
  const queued = sql.enqueueRows(QUEUE_NEW, { storeId, eventIds });
  return () => [...new Set(queued().map(({ id }) => id))];
};

/** With one event in sight, a plan for each call looks cheaper to PostgreSQL than one for all, and takes longer than the call. */
const BY_KEYS = { looksUpByKeys: true };

/**
 * Gives the events that `find` finds their places and makes them into deliveries, for any number of either. Each
 * statement writes one table of the store and finds by itself what the one before has written: rows that one statement
 * hands from table to table would travel. Nothing is waited for between them, and nothing comes between them: the
 * fan-outs of a store run one after the other.
 */
const inStore = async (database: Database, storeId: string, find: (sql: Sql) => Promise<Found[]>): Promise<FannedOut> => {
  const ended = await database.transaction(async (sql): Promise<() => FannedOut> => {
    // They leave in one write. A change of options excludes fan-outs, so it stays so to the end.
    const [, found] = await Promise.all([beginFanOut(sql, storeId), find(sql)]);
    const count = found.length;
    const [first] = found;
    if (first === undefined) return () => ({ events: 0, subscriptionIds: [], traceparents: [] });
    sql.enqueue(EXTEND, { storeId, count });
    if (first.epoch !== null) sql.enqueue(BEGIN_EPOCH, { storeId, epoch: first.epoch, count });
    const audiences = found.map(({ audience }) => audience);
    sql.enqueue(PLACE, { storeId, count, eventIds: found.map(({ eventId }) => eventId), audiences });
    const eventIds = found.flatMap(({ eventId, isDelivered }) => (isDelivered ? [eventId] : []));
    const subscriptionIds = await (first.hasOptions ? deliverByOptions : deliver)(sql, storeId, eventIds);
    const traceparents = [...new Set(found.flatMap(({ traceparent }) => traceparent ?? []))];
    return () => ({ events: count, subscriptionIds: subscriptionIds(), traceparents });
  }, BY_KEYS);
  return ended();
};

/**
 * Makes a store's waiting events into deliveries, for any number of either, and gives
 * each event its place in the feed. An event is taken once, and what commits now comes later. The first of
 * a store in an epoch also records where the epoch began.
 */
export const fanOut = (database: Database, storeId: string, limit: number): Promise<FannedOut> =>
  inStore(database, storeId, (sql) => sql.rows(TAKE, { storeId, limit }));

/**
 * Gives places to those of the events that lack one, in the order in which they were recorded, and makes the
 * deliveries of those that a fan-out never took.
 */
export const placeUnplaced = (
  database: Database,
  storeId: string,
  eventIds: readonly string[],
  deliverSeconds: number,
): Promise<FannedOut> => inStore(database, storeId, (sql) => sql.rows(FIND_UNPLACED, { storeId, eventIds, deliverSeconds }));
