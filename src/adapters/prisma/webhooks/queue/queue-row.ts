import { GATHERED_FIELDS } from '../../../../domain/webhooks/gathering.ts';
import { statement } from '../../connection/statement.ts';
import { eachOf } from '../feed/event-places.ts';
import { GATHERS, listed, MATCHING } from '../subscriptions/receivers.ts';

// This file has every INSERT and every predicate of `deliveries` and `delivery_queue`. In predicates, `q` is a queued row, `d` a delivery,
// `e` its event, and `store` and `subscription` are SQL.

/**
 * True while an ending of the subscription is not written to the end. Until then its queue may have
 * rows of deliveries that have ended.
 */
export const isEnding = (store: string, subscription: string): string =>
  `EXISTS (SELECT FROM delivery_endings x WHERE x.store_id = ${store} AND x.subscription_id = ${subscription})`;

/** True when the ending `x` is one of delivery `d`. A delivery that changed after the ending does not end. */
export const APPLIES = `(x.types IS NULL OR (e.type = ANY (x.types) AND coalesce(d.updated_at, d.created_at) <= x.at))`;

/** True when an ending is one of the queued row. */
export const isEnded = (store: string): string => `EXISTS (SELECT FROM delivery_endings x
  WHERE x.store_id = ${store} AND x.subscription_id = q.subscription_id AND (
    SELECT ${APPLIES} FROM deliveries d JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
    WHERE d.store_id = ${store} AND d.id = q.delivery_id))`;

/** The ending `x` of the queued delivery, if it has one. */
export const WITH_ENDING = `LEFT JOIN LATERAL (
  SELECT x.status, x.error, x.at FROM delivery_endings x WHERE x.store_id = $storeId AND x.subscription_id = d.subscription_id AND ${APPLIES}
  ORDER BY x.at, x.id LIMIT 1) x ON d.status = 'Pending'`;

export const IS_DUE = 'q.due_at <= statement_timestamp()';

/** True when no earlier delivery of its resource and subscription is queued before the row, if it has an order. */
export const isNext = (
  store: string,
): string => `(q.position IS NULL OR NOT EXISTS (SELECT FROM delivery_queue p WHERE p.store_id = ${store}
  AND p.subscription_id = q.subscription_id AND p.resource_hash = q.resource_hash AND p.position < q.position))`;

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

/** The resource as an index has it. `resourceId` is SQL. */
export const hashOf = (resourceId: string): string => `('x' || left(md5(${resourceId}), 16))::bit(64)::bigint`;

/** True when subscription `s` has no delivery of event `e` yet: neither its own, nor that of an event that gathered it. */
export const HAS_NOT_MET = `NOT EXISTS (SELECT FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = e.id AND d.subscription_id = s.id)
      AND NOT EXISTS (
        SELECT FROM gathered_events g JOIN deliveries d ON d.store_id = $storeId AND d.id = g.delivery_id
        WHERE g.store_id = $storeId AND g.event_id = e.id AND d.subscription_id = s.id
      )`;

/**
 * `n.at` is now, and `n.digits` are the first digits of the ids of that time: computed once, and not for each delivery. A join keeps them
 * so by OFFSET 0.
 */
const NOW = `(SELECT now_ms() AS at, left(replace(uuid7_floor(now_ms())::text, '-', ''), 17) AS digits OFFSET 0) n`;

/**
 * SQL for the id of a new delivery: a UUID of version 7, whose last digits follow from its event and its subscription. No chance is in it,
 * so that a statement with it is carried out where the rows of its store are.
 */
const deliveryId = (event: string): string =>
  `(n.digits || lpad(to_hex((uuid_hash_extended(${event}, 0) # uuid_hash_extended(s.id, 1)) & 1152921504606846975), 15, '0'))::uuid`;

/** The columns of a new delivery of `event` to subscription `s`, as SQL. */
interface NewDelivery {
  readonly event: string;
  readonly fields?: string;
  readonly include?: string;
  readonly body?: string;
  readonly gathered?: string;
  readonly dueAt?: string;
}

const intoDeliveries = (
  from: string,
  { event, fields = 'NULL', include = 'NULL', body = 'NULL', gathered = 'NULL', dueAt = 'n.at' }: NewDelivery,
): string => `
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, fields, include, body, gathered, next_attempt_at, created_at)
    SELECT ${deliveryId(event)}, s.store_id, ${event}, s.id, s.installation_id, ${fields}, ${include}, ${body}, ${gathered}, ${dueAt}, n.at
    FROM ${NOW} CROSS JOIN ${from}
    ON CONFLICT DO NOTHING`;

/** The columns of the queued row of delivery `d`, as SQL. */
interface QueuedRow {
  readonly store: string;
  readonly event: string;
  readonly attempts?: string;
  readonly isGathering?: string;
  readonly position?: string;
  readonly resourceHash?: string;
}

const intoQueue = (
  from: string,
  { store, event, attempts = '0', isGathering = 'NULL', position = 'NULL', resourceHash = 'NULL' }: QueuedRow,
  onConflict = 'ON CONFLICT DO NOTHING',
): string => `
    INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at, attempts, fields, include, is_gathering, position, resource_hash)
    SELECT d.id, ${store}, ${event}, d.subscription_id, d.next_attempt_at, ${attempts}, d.fields, d.include, ${isGathering}, ${position}, ${resourceHash}
    FROM ${from}
    ${onConflict}`;

/** A delivery that is queued stays as it is. */
const RETURNED = 'ON CONFLICT DO NOTHING RETURNING subscription_id AS id';

const STORE = { storeId: 'uuid' } as const;
const EVENTS = { ...STORE, eventIds: 'uuid[]' } as const;
const PAIRS = { ...EVENTS, subscriptionIds: 'uuid[]' } as const;

/** The deliveries of a fan-out, without those of events that filters keep from a subscription or that it gathers. */
export const DELIVER = statement({
  text: intoDeliveries(`${MATCHING} AND x.event_id IS NULL AND NOT ${GATHERS}`, {
    event: 'e.id',
    fields: 's.fields',
    include: 's.include',
  }),
  parameters: { ...EVENTS, filteredEvents: 'uuid[]', filteredFrom: 'uuid[]' },
});

export const DELIVER_PING = statement({
  text: intoDeliveries('subscriptions s WHERE s.store_id = $storeId AND s.id = $subscriptionId', { event: '$id::uuid' }),
  parameters: { ...STORE, id: 'uuid', subscriptionId: 'uuid' },
});

/** New windows, each with its newest event. Without fields, all of the data is sent: to concatenate null and a list gives the list. */
export const OPEN_WINDOWS = statement({
  text: intoDeliveries(
    `unnest($eventIds::uuid[], $subscriptionIds::uuid[], $bodies::text[], $counts::int[]) AS w(event_id, subscription_id, body, gathered)
      JOIN subscriptions s ON s.store_id = $storeId AND s.id = w.subscription_id`,
    {
      event: 'w.event_id',
      fields: `CASE WHEN s.fields IS NOT NULL THEN s.fields || ARRAY[${listed(GATHERED_FIELDS)}] END`,
      include: 's.include',
      body: 'w.body',
      gathered: 'w.gathered',
      dueAt: 'n.at + make_interval(secs => s.gather_quiet_seconds)',
    },
  ),
  parameters: { ...PAIRS, bodies: 'text?[]', counts: 'int4[]' },
});

const pendingOf = (event: string): string =>
  eachOf(
    'deliveries',
    'id, subscription_id, next_attempt_at, fields, include',
    `store_id = $storeId AND event_id = ${event} AND status = 'Pending'`,
  );

/** Queues the new deliveries of events, which are looked up by their index: a join may be planned as a scan of the whole table. */
export const QUEUE_NEW = statement({
  text: intoQueue(
    `stores st CROSS JOIN unnest($eventIds::uuid[]) AS t(event_id)
      CROSS JOIN ${pendingOf('t.event_id')} d
    WHERE st.id = $storeId`,
    { store: 'st.id', event: 't.event_id' },
    RETURNED,
  ),
  parameters: EVENTS,
  row: { id: 'uuid' },
});

/** Queues in a store in which a subscription may have an order. Its rows have their place in it. */
export const QUEUE_ORDERED = statement({
  text: intoQueue(
    `events e
      JOIN feed f ON f.store_id = $storeId AND f.event_id = e.id
      CROSS JOIN ${pendingOf('e.id')} d
      JOIN subscriptions s ON s.store_id = $storeId AND s.id = d.subscription_id
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds)`,
    {
      store: 'e.store_id',
      event: 'e.id',
      position: 'CASE WHEN s.ordered_by IS NOT NULL AND e.resource_id IS NOT NULL THEN f.position END',
      resourceHash: `CASE WHEN s.ordered_by IS NOT NULL THEN ${hashOf('e.resource_id')} END`,
    },
    RETURNED,
  ),
  parameters: EVENTS,
  row: { id: 'uuid' },
});

/** The windows that OPEN_WINDOWS has made. */
export const QUEUE_WINDOWS = statement({
  text: intoQueue(
    `unnest($eventIds::uuid[], $subscriptionIds::uuid[], $positions::bigint[]) AS p(event_id, subscription_id, position)
      JOIN deliveries d ON d.store_id = $storeId AND d.event_id = p.event_id AND d.subscription_id = p.subscription_id AND d.status = 'Pending'
      JOIN events e ON e.store_id = $storeId AND e.id = p.event_id
      JOIN subscriptions s ON s.store_id = $storeId AND s.id = p.subscription_id`,
    {
      store: 'd.store_id',
      event: 'd.event_id',
      isGathering: 'true',
      position: 'CASE WHEN s.ordered_by IS NOT NULL THEN p.position END',
      resourceHash: hashOf('e.resource_id'),
    },
  ),
  parameters: { ...PAIRS, positions: 'int8[]' },
});

/** Queues pending deliveries with a new schedule. */
export const QUEUE_AGAIN = statement({
  text: intoQueue(
    "deliveries d WHERE d.store_id = $storeId AND d.id = ANY ($ids) AND d.status = 'Pending'",
    {
      store: 'd.store_id',
      event: 'd.event_id',
      attempts: 'd.attempts',
      isGathering: 'CASE WHEN d.gathered IS NOT NULL THEN false END',
    },
    'ON CONFLICT (store_id, delivery_id) DO UPDATE SET due_at = excluded.due_at, tries = 0',
  ),
  parameters: { ...STORE, ids: 'uuid[]' },
});
