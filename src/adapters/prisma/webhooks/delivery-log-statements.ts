import { ATTEMPT_ERRORS, DELIVERY_ERRORS, DELIVERY_STATUSES } from '../../../domain/webhooks/delivery.ts';
import { SUBSCRIBABLE_TYPES } from '../../../domain/webhooks/event.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { WITH_ENDING } from './delivery-ending-statements.ts';
import { ACCEPTED_SCOPES, IS_HELD, IS_SERVED, mayReceive } from './delivery-matching.ts';

/** Of delivery `d`, with its store `st`, its subscription `s`, its installation `i` and its ending `x` outer-joined. */
export const STATUS = `CASE WHEN d.status <> 'Pending' THEN d.status
  WHEN x.status IS NOT NULL THEN x.status
  WHEN ${IS_HELD} OR coalesce(s.probe_at > statement_timestamp(), false) THEN 'Held'
  WHEN d.next_attempt_at <= statement_timestamp() AND ${IS_SERVED} THEN 'Delivering' ELSE 'Pending' END`;

/** A delivery outlives its subscription. While the delivery waits and has no ending, the subscription exists. */
const DELIVERIES = `deliveries d JOIN stores st ON st.id = d.store_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
  LEFT JOIN subscriptions s ON s.id = d.subscription_id LEFT JOIN installations i ON i.id = d.installation_id ${WITH_ENDING}`;

export const FIELDS = `d.id, d.store_id AS "storeId", d.event_id AS "eventId", e.type AS "eventType", e.resource_id AS "resourceId", e.request_id AS "requestId", d.subscription_id AS "subscriptionId",
  d.installation_id AS "installationId", ${STATUS} AS status, d.attempts, coalesce(d.error, x.error) AS error,
  CASE WHEN x.status IS NULL THEN iso(d.next_attempt_at) END AS "nextAttemptAt", iso(d.created_at) AS "createdAt",
  iso(coalesce(x.at, d.updated_at)) AS "updatedAt"`;

export const COLUMNS = {
  id: 'uuid',
  storeId: 'uuid',
  eventId: 'uuid',
  eventType: oneOf('text', [...SUBSCRIBABLE_TYPES, 'ping']),
  resourceId: 'text?',
  requestId: 'uuid?',
  subscriptionId: 'uuid',
  installationId: 'uuid?',
  status: oneOf('text', DELIVERY_STATUSES),
  attempts: 'int4',
  error: oneOf('text?', DELIVERY_ERRORS),
  nextAttemptAt: 'text?',
  createdAt: 'text',
  updatedAt: 'text?',
} as const;

export const DELIVERY = statement({
  text: `SELECT ${FIELDS}, s.url, e.body FROM ${DELIVERIES} WHERE d.id = $id`,
  parameters: { id: 'uuid' },
  row: { ...COLUMNS, url: 'text?', body: 'text' },
});

export const ATTEMPTS = statement({
  text: `
    SELECT number, iso(started_at) AS "startedAt", duration_ms AS "durationMs", status, address, error, response, signature
    FROM delivery_attempts WHERE delivery_id = $id ORDER BY number`,
  parameters: { id: 'uuid' },
  row: {
    number: 'int4',
    startedAt: 'text',
    durationMs: 'int4',
    status: 'int4?',
    address: 'text?',
    error: oneOf('text?', ATTEMPT_ERRORS),
    response: 'text?',
    signature: 'text?',
  },
});

export const COUNT_MATCHING = statement({
  text: `
    SELECT count(*)::int AS n FROM subscriptions s LEFT JOIN installations i ON i.id = s.installation_id
      LEFT JOIN ${ACCEPTED_SCOPES} ON a.type = $type
    WHERE s.store_id = $storeId AND $type = ANY (s.event_types) AND ${mayReceive('$type', 'NULL::uuid')}`,
  parameters: { storeId: 'uuid', type: 'text' },
  row: { n: 'int4' },
});
