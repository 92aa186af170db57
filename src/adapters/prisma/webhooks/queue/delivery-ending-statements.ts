import { endFigures } from '../../work/delivery-figures.ts';
import { statement } from '../../connection/statement.ts';

/** How a delivery ends that no attempt ends. */
export const ENDS = { Dropped: 'dropped', Failed: 'deactivated' } as const;
export type EndStatus = keyof typeof ENDS;

/**
 * Whether an ending of the subscription is not written to the end. Until then its queue may have
 * rows of deliveries that have ended. `store` and `subscription` are SQL.
 */
export const isEnding = (store: string, subscription: string): string =>
  `EXISTS (SELECT FROM delivery_endings x WHERE x.store_id = ${store} AND x.subscription_id = ${subscription})`;

/** Whether the ending `x` is one of delivery `d`, whose event is `e`. What changed after it is not. */
const APPLIES = `(x.types IS NULL OR (e.type = ANY (x.types) AND coalesce(d.updated_at, d.created_at) <= x.at))`;

/** Whether the queued row `q` is due. */
export const IS_DUE = 'q.due_at <= statement_timestamp()';

/** Whether no earlier delivery of its resource and subscription is queued before the row `q`, if it has an order. `store` is SQL. */
export const isNext = (
  store: string,
): string => `(q.position IS NULL OR NOT EXISTS (SELECT FROM delivery_queue p WHERE p.store_id = ${store}
  AND p.subscription_id = q.subscription_id AND p.resource_hash = q.resource_hash AND p.position < q.position))`;

/** Whether an ending is one of the queued row `q`. `store` is SQL. */
export const isEnded = (store: string): string => `EXISTS (SELECT FROM delivery_endings x
  WHERE x.store_id = ${store} AND x.subscription_id = q.subscription_id AND (
    SELECT ${APPLIES} FROM deliveries d JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
    WHERE d.store_id = ${store} AND d.id = q.delivery_id))`;

/**
 * At least the first rows `q` of a subscription's queue that no ending ends: at most twice the limit.
 * An ending of some types looks at the queue in its order: the rows before its place have passed, and
 * each row that became due since the ending is judged. The rows between wait for the ending: there may
 * be too many to look through. A statement of one store names it; a sweep gives the column of its
 * subscription.
 */
export const sendableRows = (store: string, subscription: string, limit: string, condition = 'true'): string => {
  const rows = (part: string): string => `(SELECT q.* FROM delivery_queue q
    WHERE q.store_id = ${store} AND q.subscription_id = ${subscription} AND ${part} AND ${condition} ORDER BY q.due_at, q.delivery_id LIMIT ${limit})`;
  return `SELECT q.* FROM (
    SELECT coalesce(min(CASE WHEN types IS NULL THEN '-infinity' ELSE reached_due END), 'infinity') AS passed,
      coalesce(greatest(max(CASE WHEN types IS NULL THEN 'infinity' ELSE at END), min(reached_due)), 'infinity') AS since
    FROM delivery_endings WHERE store_id = ${store} AND subscription_id = ${subscription}
  ) x CROSS JOIN LATERAL (${rows('q.due_at < x.passed')} UNION ALL ${rows(`q.due_at >= x.since AND NOT ${isEnded(store)}`)}) q`;
};

/** The first of them, in their order. */
export const firstSendable = (store: string, subscription: string, limit: string, condition?: string): string =>
  `${sendableRows(store, subscription, limit, condition)} ORDER BY q.due_at, q.delivery_id LIMIT ${limit}`;

/** The ending `x` of the queued delivery `d`, whose event is `e`, if it has one. */
export const WITH_ENDING = `LEFT JOIN LATERAL (
  SELECT x.status, x.error, x.at FROM delivery_endings x WHERE x.store_id = $storeId AND x.subscription_id = d.subscription_id AND ${APPLIES}
  ORDER BY x.at, x.id LIMIT 1) x ON d.status = 'Pending'`;

export const ADD_ENDINGS = statement({
  text: `
    INSERT INTO delivery_endings (id, store_id, subscription_id, status, error, types, at)
    SELECT e.id, s.id, e.subscription_id, $status, $error, $types, statement_timestamp()
    FROM stores s CROSS JOIN unnest($ids::uuid[], $subscriptionIds::uuid[]) AS e(id, subscription_id)
    WHERE s.id = $storeId AND EXISTS (SELECT FROM delivery_queue q WHERE q.store_id = $storeId AND q.subscription_id = e.subscription_id)`,
  parameters: { storeId: 'uuid', status: 'text', error: 'text', types: 'text[]?', ids: 'uuid[]', subscriptionIds: 'uuid[]' },
});

/** The stores that have an ending, the one with the oldest first. */
export const STORES_TO_END = statement({
  text: 'SELECT store_id AS id FROM delivery_endings GROUP BY store_id ORDER BY min(at), store_id',
  row: { id: 'uuid' },
});

/** The oldest ending of the store that no other transaction works on. */
export const TAKE_ENDING = statement({
  text: `
    SELECT id, subscription_id AS "subscriptionId", reached_due::text AS "reachedDue", reached_id AS "reachedId" FROM delivery_endings
    WHERE store_id = $storeId AND ($subscriptionIds::uuid[] IS NULL OR subscription_id = ANY ($subscriptionIds))
    ORDER BY at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  parameters: { storeId: 'uuid', subscriptionIds: 'uuid[]?' },
  row: { id: 'uuid', subscriptionId: 'uuid', reachedDue: 'text', reachedId: 'uuid' },
});

/**
 * The next rows of the queue in their order there, with the place of the last of them, locked in the
 * order in which a redelivery locks them. A row that moves while its lock is waited for does not move
 * the place.
 */
export const SEE = statement({
  text: `
    WITH seen AS MATERIALIZED (
      SELECT due_at, delivery_id FROM delivery_queue
      WHERE store_id = $storeId AND subscription_id = $subscriptionId AND (due_at, delivery_id) > ($reachedDue::timestamptz, $reachedId::uuid)
      ORDER BY due_at, delivery_id LIMIT $limit
    )
    SELECT q.delivery_id AS "deliveryId", l.due_at::text AS "lastDue", l.delivery_id AS "lastId"
    FROM delivery_queue q, (SELECT due_at, delivery_id FROM seen ORDER BY due_at DESC, delivery_id DESC LIMIT 1) l
    WHERE q.store_id = $storeId AND q.delivery_id IN (SELECT delivery_id FROM seen)
    ORDER BY q.delivery_id FOR UPDATE OF q`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid', reachedDue: 'timestamptz', reachedId: 'uuid', limit: 'int8' },
  row: { deliveryId: 'uuid', lastDue: 'text', lastId: 'uuid' },
});

/** A separate statement from SEE: it sees what changed while that one waited. */
export const END_SEEN = statement({
  text: `
    WITH seen AS MATERIALIZED (
      SELECT q.delivery_id, ${APPLIES} AS ends
      FROM delivery_endings x JOIN delivery_queue q ON q.store_id = $storeId AND q.delivery_id = ANY ($seen)
        CROSS JOIN LATERAL (SELECT created_at, updated_at FROM deliveries WHERE store_id = $storeId AND id = q.delivery_id OFFSET 0) d
        CROSS JOIN LATERAL (SELECT type FROM events WHERE store_id = $storeId AND id = q.event_id OFFSET 0) e
      WHERE x.store_id = $storeId AND x.id = $id
    ), reached AS (
      UPDATE delivery_endings SET reached_due = $lastDue::timestamptz, reached_id = $lastId WHERE store_id = $storeId AND id = $id
    ), gone AS (
      DELETE FROM delivery_queue q USING seen WHERE q.store_id = $storeId AND q.delivery_id = seen.delivery_id AND seen.ends RETURNING q.delivery_id
    )
    UPDATE deliveries d SET status = x.status, error = coalesce(d.error, x.error), next_attempt_at = NULL, updated_at = x.at
    FROM gone JOIN delivery_endings x ON x.store_id = $storeId AND x.id = $id
    WHERE d.store_id = $storeId AND d.id = gone.delivery_id`,
  parameters: { storeId: 'uuid', id: 'uuid', seen: 'uuid[]', lastDue: 'timestamptz', lastId: 'uuid' },
});

/** Counts those that END_SEEN has ended. By itself, since a Citus lets rows travel that one statement hands to an insertion. */
export const COUNT_SEEN = statement({
  text: endFigures(
    `(SELECT d.store_id, d.subscription_id, d.status, x.at
    FROM delivery_endings x JOIN deliveries d ON d.store_id = $storeId AND d.id = ANY ($seen) AND d.status = x.status AND d.updated_at = x.at
    WHERE x.store_id = $storeId AND x.id = $id) AS ended`,
    'min(at)',
  ),
  parameters: { storeId: 'uuid', id: 'uuid', seen: 'uuid[]' },
});

/** Counts deliveries that ended now without an attempt. */
export const COUNT_ENDED = statement({
  text: endFigures(
    '(SELECT store_id, subscription_id, status FROM deliveries WHERE store_id = $storeId AND id = ANY ($ids)) AS d',
  ),
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
});

export const FINISH_ENDING = statement({
  text: 'DELETE FROM delivery_endings WHERE store_id = $storeId AND id = $id',
  parameters: { storeId: 'uuid', id: 'uuid' },
});

/** Whether a filter by status or error also has to look at deliveries that are stored as queued. */
export const HAS_ENDING = statement({
  text: 'SELECT EXISTS (SELECT FROM delivery_endings WHERE store_id = $storeId) AS found',
  parameters: { storeId: 'uuid' },
  row: { found: 'bool' },
});
