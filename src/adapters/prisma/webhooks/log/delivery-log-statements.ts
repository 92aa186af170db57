import { ATTEMPT_ERRORS, DELIVERY_ERRORS, DELIVERY_STATUSES, WAITING_REASONS } from '../../../../domain/webhooks/delivery.ts';
import type { Delivery } from '../../../../domain/ports/webhooks/delivery-log.ts';
import { receiverName } from '../../../../domain/webhooks/receiver.ts';
import type { SubscriptionFilter } from '../../../../domain/webhooks/subscription-filter.ts';
import { SUBSCRIBABLE_TYPES } from '../../../../domain/webhooks/event.ts';
import { json, oneOf, type RowOf } from '../../connection/sql-types.ts';
import { statement } from '../../connection/statement.ts';
import { WITH_ENDING } from '../queue/delivery-ending-statements.ts';
import { HOLD, mayReceive } from '../fan-out/delivery-matching.ts';

/** Of delivery `d`, with its store `st`, its subscription `s`, its installation `i` and its ending `x` outer-joined. */
const IS_QUEUED = `d.status = 'Pending' AND x.status IS NULL`;
const HAS_FAILED = 'd.attempts > 0 AND d.error IS NOT NULL';

/** As `publicStatusOf` says it. */
export const STATUS = `CASE WHEN NOT (${IS_QUEUED}) THEN coalesce(x.status, d.status)
  WHEN ${HOLD} IS NULL AND ${HAS_FAILED} THEN 'Retrying' ELSE 'Waiting' END`;
export const WAITING_BECAUSE = `CASE WHEN ${IS_QUEUED} THEN coalesce(${HOLD}, CASE WHEN NOT (${HAS_FAILED}) THEN 'queued' END) END`;

/** A delivery outlives its subscription. While the delivery waits and has no ending, the subscription exists. */
const DELIVERIES = `deliveries d JOIN stores st ON st.id = d.store_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
  LEFT JOIN subscriptions s ON s.store_id = d.store_id AND s.id = d.subscription_id
  LEFT JOIN installations i ON i.store_id = d.store_id AND i.id = d.installation_id ${WITH_ENDING}`;

export const FIELDS = `d.id, d.store_id AS "storeId", d.event_id AS "eventId", e.type AS "eventType", e.resource_id AS "resourceId", e.request_id AS "requestId", d.subscription_id AS "subscriptionId",
  d.installation_id AS "installationId", ${STATUS} AS status, ${WAITING_BECAUSE} AS "waitingBecause",
  s.url, s.description, i.name AS owner, d.gathered, d.attempts, coalesce(d.error, x.error) AS error,
  CASE WHEN x.status IS NULL THEN iso(d.next_attempt_at) END AS "nextAttemptAt", iso(d.created_at) AS "createdAt",
  iso(coalesce(x.at, d.updated_at)) AS "updatedAt"`;

export const DELIVERY_COLUMNS = {
  id: 'uuid',
  storeId: 'uuid',
  eventId: 'uuid',
  eventType: oneOf('text', [...SUBSCRIBABLE_TYPES, 'ping']),
  resourceId: 'text?',
  requestId: 'uuid?',
  subscriptionId: 'uuid',
  installationId: 'uuid?',
  status: oneOf('text', DELIVERY_STATUSES),
  waitingBecause: oneOf('text?', WAITING_REASONS),
  url: 'text?',
  description: 'text?',
  owner: 'text?',
  gathered: 'int4?',
  attempts: 'int4',
  error: oneOf('text?', DELIVERY_ERRORS),
  nextAttemptAt: 'text?',
  createdAt: 'text',
  updatedAt: 'text?',
} as const;

/** The row with its receiver as people call it. */
export const deliveryOf = <T extends Pick<RowOf<typeof DELIVERY_COLUMNS>, 'url' | 'description' | 'owner'>>({
  url,
  description,
  owner,
  ...row
}: T): Omit<T, 'url' | 'description' | 'owner'> & Pick<Delivery, 'receiver'> => ({
  ...row,
  receiver: { name: url === null ? null : receiverName({ url, description }), url, owner },
});

/** The last response to each of the deliveries. */
export const RESPONSES = statement({
  text: `
    SELECT w.id, a.status, a.duration_ms AS ms FROM unnest($ids::uuid[]) AS w(id) CROSS JOIN LATERAL (
      SELECT status, duration_ms FROM delivery_attempts WHERE store_id = $storeId AND delivery_id = w.id ORDER BY number DESC LIMIT 1) a`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid', status: 'int4?', ms: 'int4' },
});

export const DELIVERY = statement({
  text: `SELECT ${FIELDS}, coalesce(d.body, e.body) AS body, e.traceparent, e.origin_installation_id AS origin, d.fields FROM ${DELIVERIES} WHERE d.store_id = $storeId AND d.id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: { ...DELIVERY_COLUMNS, body: 'text', traceparent: 'text?', origin: 'uuid?', fields: 'text[]?' },
});

/** The deliveries that have the event beside their own, the newest first. */
export const GATHERED_INTO = statement({
  text: `
    SELECT ${FIELDS} FROM gathered_events g JOIN (${DELIVERIES}) ON d.store_id = $storeId AND d.id = g.delivery_id
    WHERE g.store_id = $storeId AND g.event_id = $eventId ORDER BY d.id DESC LIMIT $take`,
  parameters: { storeId: 'uuid', eventId: 'uuid', take: 'int8' },
  row: DELIVERY_COLUMNS,
});

export const ATTEMPTS = statement({
  text: `
    SELECT number, iso(started_at) AS "startedAt", duration_ms AS "durationMs", status, address, error, response, signature, gap_event_id AS gap
    FROM delivery_attempts WHERE store_id = $storeId AND delivery_id = $id ORDER BY number`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: {
    number: 'int4',
    startedAt: 'text',
    durationMs: 'int4',
    status: 'int4?',
    address: 'text?',
    error: oneOf('text?', ATTEMPT_ERRORS),
    response: 'text?',
    signature: 'text?',
    gap: 'uuid?',
  },
});

export const UNSENT = statement({
  text: `
    SELECT s.id AS "subscriptionId", s.installation_id AS "installationId", s.url, s.description, i.name AS owner, s.filter
    FROM events e
      JOIN feed f ON f.store_id = $storeId AND f.event_id = e.id
      JOIN subscriptions s ON s.store_id = $storeId AND s.filter IS NOT NULL AND s.created_at <= e.created_at AND e.type = ANY (s.event_types)
      LEFT JOIN installations i ON i.store_id = $storeId AND i.id = s.installation_id
    WHERE e.store_id = $storeId AND e.id = $eventId AND ${mayReceive('e.type', 'e.origin_installation_id')}
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.store_id = $storeId AND d.event_id = e.id AND d.subscription_id = s.id)
      AND NOT EXISTS (
        SELECT FROM gathered_events g JOIN deliveries d ON d.store_id = $storeId AND d.id = g.delivery_id
        WHERE g.store_id = $storeId AND g.event_id = e.id AND d.subscription_id = s.id
      )
    ORDER BY s.created_at, s.id LIMIT $take`,
  parameters: { storeId: 'uuid', eventId: 'uuid', take: 'int8' },
  row: {
    subscriptionId: 'uuid',
    installationId: 'uuid?',
    url: 'text',
    description: 'text?',
    owner: 'text?',
    filter: json<SubscriptionFilter>('json!'),
  },
});

export const COUNT_MATCHING = statement({
  text: `
    SELECT count(*)::int AS n FROM subscriptions s LEFT JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
    WHERE s.store_id = $storeId AND $type = ANY (s.event_types) AND ${mayReceive('$type', 'NULL::uuid', 'NULL')}`,
  parameters: { storeId: 'uuid', type: 'text' },
  row: { n: 'int4' },
});
