import { GATHERED_FIELDS, GATHERED_TYPES, MAX_GATHERED } from '../../../../domain/webhooks/gathering.ts';
import { statement } from '../../connection/statement.ts';
import { isEnded } from '../queue/delivery-ending-statements.ts';
import { deliveryId, NOW } from '../queue/new-delivery.ts';

const STORE = { storeId: 'uuid' } as const;
const PAIRS = { ...STORE, eventIds: 'uuid[]', subscriptionIds: 'uuid[]' } as const;

const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** Whether subscription `s` gathers event `e`. */
export const GATHERS = `(s.gather_quiet_seconds IS NOT NULL AND e.resource_id IS NOT NULL AND e.type IN (${listed(GATHERED_TYPES)}))`;

/** The resource as an index has it. `resourceId` is SQL. */
export const hashOf = (resourceId: string): string => `('x' || left(md5(${resourceId}), 16))::bit(64)::bigint`;

/** The column `body` of event `e`, or of the delivery of `q` that has gathered others. */
export const BODY = `coalesce(CASE WHEN q.is_gathering IS NOT NULL THEN (
          SELECT d.body FROM deliveries d WHERE d.store_id = $storeId AND d.id = q.delivery_id) END, body) AS body`;

/** Since the event, or since the end of the window in which others joined it. */
export const AGE = `CASE WHEN q.is_gathering IS NULL THEN extract(epoch FROM statement_timestamp() - e.created_at)
          ELSE greatest(0, extract(epoch FROM statement_timestamp() - q.due_at)) END::float`;

/**
 * Nothing joins these from now on. Of a window that is not over, only where it is to end early. Locked in the order in which a
 * fan-out locks them.
 */
export const CLOSE = statement({
  text: `
    UPDATE delivery_queue q SET is_gathering = false
    FROM (
      SELECT delivery_id FROM delivery_queue
      WHERE store_id = $storeId AND delivery_id = ANY ($ids) AND is_gathering AND ($early OR due_at <= statement_timestamp())
      ORDER BY delivery_id FOR UPDATE
    ) o WHERE q.store_id = $storeId AND q.delivery_id = o.delivery_id`,
  parameters: { ...STORE, ids: 'uuid[]', early: 'bool' },
});

const MAX_READ_BYTES = 2_097_152;

/** The next events, in their order in the feed: as many as fit, and always one. */
export const EVENTS = statement({
  text: `
    SELECT id, type, "resourceId", position, body FROM (
      SELECT e.id, e.type, e.resource_id AS "resourceId", f.position, e.body, octet_length(e.body) AS own,
        sum(octet_length(e.body)) OVER (ORDER BY f.position ROWS UNBOUNDED PRECEDING) AS bytes
      FROM unnest($eventIds::uuid[]) AS t(event_id)
        JOIN events e ON e.store_id = $storeId AND e.id = t.event_id
        JOIN feed f ON f.store_id = $storeId AND f.event_id = t.event_id
      WHERE f.position > $after
    ) b WHERE bytes <= ${MAX_READ_BYTES} OR bytes = own ORDER BY position`,
  parameters: { ...STORE, eventIds: 'uuid[]', after: 'int8' },
  row: { id: 'uuid', type: 'text', resourceId: 'text!', position: 'int8', body: 'text' },
});

/**
 * The pairs that have not met before. With an order, each with the place of the delivery of its resource that is queued before it, the
 * open window included.
 */
export const MEETINGS = statement({
  text: `
    SELECT e.id AS "eventId", s.id AS "subscriptionId", s.installation_id AS "installationId", s.ordered_by IS NOT NULL AS "isOrdered",
      CASE WHEN s.ordered_by IS NOT NULL THEN (
        SELECT max(p.position) FROM delivery_queue p
        WHERE p.store_id = $storeId AND p.subscription_id = s.id AND p.resource_hash = ${hashOf('e.resource_id')} AND p.position < f.position
      ) END AS before
    FROM unnest($eventIds::uuid[], $subscriptionIds::uuid[]) AS t(event_id, subscription_id)
      JOIN events e ON e.store_id = $storeId AND e.id = t.event_id
      JOIN feed f ON f.store_id = $storeId AND f.event_id = t.event_id
      JOIN subscriptions s ON s.store_id = $storeId AND s.id = t.subscription_id
    WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = e.id AND d.subscription_id = s.id)
      AND NOT EXISTS (
        SELECT FROM gathered_events g JOIN deliveries d ON d.store_id = $storeId AND d.id = g.delivery_id
        WHERE g.store_id = $storeId AND g.event_id = e.id AND d.subscription_id = s.id
      )
    ORDER BY f.position`,
  parameters: PAIRS,
  row: { eventId: 'uuid', subscriptionId: 'uuid', installationId: 'uuid?', isOrdered: 'bool', before: 'int8?' },
});

/** The open windows that such events may join. */
const OPEN_WINDOWS = `(
      SELECT DISTINCT t.subscription_id, e.type, e.resource_id FROM unnest($eventIds::uuid[], $subscriptionIds::uuid[]) AS t(event_id, subscription_id)
        JOIN events e ON e.store_id = $storeId AND e.id = t.event_id
    ) w
      JOIN delivery_queue q ON q.store_id = $storeId AND q.subscription_id = w.subscription_id AND q.resource_hash = ${hashOf('w.resource_id')}
        AND q.is_gathering AND q.due_at > statement_timestamp() AND NOT ${isEnded('$storeId')}
      JOIN events e ON e.store_id = $storeId AND e.id = q.event_id AND e.type = w.type AND e.resource_id = w.resource_id`;

/**
 * Until the end of the transaction none of these is closed, and one that is being closed is waited for. All of a fan-out at once, in the
 * order in which they are closed.
 */
export const LOCK = statement({
  text: `SELECT FROM ${OPEN_WINDOWS} ORDER BY q.delivery_id FOR UPDATE OF q`,
  parameters: PAIRS,
});

export const WINDOWS = statement({
  text: `
    SELECT q.delivery_id AS "deliveryId", q.subscription_id AS "subscriptionId", q.event_id AS "eventId", q.position, e.type,
      e.resource_id AS "resourceId", d.gathered, coalesce(d.body, e.body) AS body
    FROM ${OPEN_WINDOWS} JOIN deliveries d ON d.store_id = $storeId AND d.id = q.delivery_id`,
  parameters: PAIRS,
  row: {
    deliveryId: 'uuid',
    subscriptionId: 'uuid',
    eventId: 'uuid',
    position: 'int8?',
    type: 'text',
    resourceId: 'text!',
    gathered: 'int4!',
    body: 'text',
  },
});

/** A delivery `d` that waits for a window of `s`. */
const IN_WINDOW = `least(d.created_at + make_interval(secs => s.gather_max_seconds), now_ms() + make_interval(secs => s.gather_quiet_seconds))`;

/** Without fields, all of the data is sent: to concatenate null and a list gives the list. */
const KEPT = `CASE WHEN s.fields IS NOT NULL THEN s.fields || ARRAY[${listed(GATHERED_FIELDS)}] END`;

/** New windows, each with its newest event. */
export const OPEN = statement({
  text: `
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, fields, body, gathered, next_attempt_at, created_at)
    SELECT ${deliveryId('w.event_id', 's.id')}, s.store_id, w.event_id, s.id, s.installation_id, ${KEPT}, w.body, w.gathered,
      n.at + make_interval(secs => s.gather_quiet_seconds), n.at
    FROM ${NOW} CROSS JOIN unnest($eventIds::uuid[], $subscriptionIds::uuid[], $bodies::text[], $counts::int[]) AS w(event_id, subscription_id, body, gathered)
      JOIN subscriptions s ON s.store_id = $storeId AND s.id = w.subscription_id
    ON CONFLICT DO NOTHING`,
  parameters: { ...PAIRS, bodies: 'text?[]', counts: 'int4[]' },
});

/** The windows that OPEN has made. */
export const QUEUE_OPENED = statement({
  text: `
    INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at, fields, is_gathering, position, resource_hash)
    SELECT d.id, d.store_id, d.event_id, s.id, d.next_attempt_at, d.fields, true, CASE WHEN s.ordered_by IS NOT NULL THEN p.position END, ${hashOf('e.resource_id')}
    FROM unnest($eventIds::uuid[], $subscriptionIds::uuid[], $positions::bigint[]) AS p(event_id, subscription_id, position)
      JOIN deliveries d ON d.store_id = $storeId AND d.event_id = p.event_id AND d.subscription_id = p.subscription_id AND d.status = 'Pending'
      JOIN events e ON e.store_id = $storeId AND e.id = p.event_id
      JOIN subscriptions s ON s.store_id = $storeId AND s.id = p.subscription_id
    ON CONFLICT DO NOTHING`,
  parameters: { ...PAIRS, positions: 'int8[]' },
});

/** Windows that were open before, with the events that joined them: the newest is the event of the delivery. A full one ends now. */
export const JOIN = statement({
  text: `
    WITH joined AS (
      SELECT * FROM unnest($ids::uuid[], $eventIds::uuid[], $bodies::text[], $counts::int[]) AS w(delivery_id, event_id, body, gathered)
    ), moved AS (
      UPDATE delivery_queue q SET event_id = w.event_id, due_at = CASE WHEN w.gathered >= ${MAX_GATHERED} THEN now_ms() ELSE ${IN_WINDOW} END
      FROM joined w
        JOIN deliveries d ON d.store_id = $storeId AND d.id = w.delivery_id
        JOIN subscriptions s ON s.store_id = $storeId AND s.id = d.subscription_id
      WHERE q.store_id = $storeId AND q.delivery_id = w.delivery_id
      RETURNING w.*, q.due_at
    )
    UPDATE deliveries d SET event_id = m.event_id, body = m.body, gathered = m.gathered, next_attempt_at = m.due_at
    FROM moved m WHERE d.store_id = $storeId AND d.id = m.delivery_id`,
  parameters: { ...STORE, ids: 'uuid[]', eventIds: 'uuid[]', bodies: 'text[]', counts: 'int4[]' },
});

/** Says which events the delivery of the newest one has. */
export const KEEP = statement({
  text: `
    INSERT INTO gathered_events (store_id, delivery_id, event_id)
    SELECT $storeId, d.id, t.event_id
    FROM unnest($eventIds::uuid[], $subscriptionIds::uuid[], $newest::uuid[]) AS t(event_id, subscription_id, newest)
      JOIN deliveries d ON d.store_id = $storeId AND d.event_id = t.newest AND d.subscription_id = t.subscription_id
    ON CONFLICT DO NOTHING`,
  parameters: { ...PAIRS, newest: 'uuid[]' },
});
