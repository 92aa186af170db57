import type { Delivery } from '../../../../domain/webhooks/shown-delivery.ts';
import { DELIVERY_ERRORS, DELIVERY_STATUSES, WAITING_REASONS } from '../../../../domain/webhooks/delivery.ts';
import { SUBSCRIBABLE_TYPES } from '../../../../domain/webhooks/event.ts';
import { receiverName } from '../../../../domain/webhooks/receiver.ts';
import { oneOf, type RowOf } from '../../connection/sql-types.ts';
import { HOLD } from '../subscriptions/receivers.ts';

/**
 * Condition on delivery `d`, with its store `st`, its subscription `s`, its installation `i` and
 * its ending `x` outer-joined.
 */
const IS_QUEUED = `d.status = 'Pending' AND x.status IS NULL`;
const HAS_FAILED = 'd.attempts > 0 AND d.error IS NOT NULL';

/** Equals `publicStatusOf` of the domain. */
export const STATUS = `CASE WHEN NOT (${IS_QUEUED}) THEN coalesce(x.status, d.status)
  WHEN ${HOLD} IS NULL AND ${HAS_FAILED} THEN 'Retrying' ELSE 'Waiting' END`;
export const WAITING_BECAUSE = `CASE WHEN ${IS_QUEUED} THEN coalesce(${HOLD}, CASE WHEN NOT (${HAS_FAILED}) THEN 'queued' END) END`;

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
