import { deliveryErrorOf, DELIVERY_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { SUBSCRIBABLE_TYPES, type NewEvent } from '../../../domain/webhooks/event.ts';
import { exhaustedEvents, subscriptionEvents } from '../../../domain/webhooks/operational-event.ts';
import type { AttemptRecord, HealthRecord } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { storeKey } from '../../../domain/store-key.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { eventRepository } from './event-repository.ts';
import type { ReplayOptions } from './delivery-replay.ts';

/** A delivery that ends, with the type of its event `e`. */
export const ENDED_FIELDS = `d.id, d.store_id AS "storeId", d.event_id AS "eventId", e.type AS "eventType", d.subscription_id AS "subscriptionId",
  d.installation_id AS "installationId"`;

export const ENDED_COLUMNS = {
  id: 'uuid',
  storeId: 'uuid',
  eventId: 'uuid',
  eventType: oneOf('text', [...SUBSCRIBABLE_TYPES, 'ping']),
  subscriptionId: 'uuid',
  installationId: 'uuid?',
} as const;

export const ERROR_COLUMN = oneOf('text?', DELIVERY_ERRORS);

/** The deliveries that these attempts are the next of. Locks them in the order of a settlement. */
const ENDING = statement({
  text: `
    SELECT ${ENDED_FIELDS}
    FROM delivery_queue q JOIN unnest($storeIds::uuid[], $ids::uuid[], $numbers::int[]) AS a(store_id, id, number)
        ON q.store_id = a.store_id AND q.delivery_id = a.id AND q.attempts = a.number - 1
      JOIN deliveries d ON d.store_id = q.store_id AND d.id = q.delivery_id JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
    FOR UPDATE OF q`,
  parameters: { storeIds: 'uuid[]', ids: 'uuid[]', numbers: 'int4[]' },
  row: ENDED_COLUMNS,
});

const STATES = statement({
  text: `
    SELECT s.id, s.store_id AS "storeId", s.installation_id AS "installationId", s.url, s.is_active AS "isActive",
      s.probe_at IS NOT NULL AS "isBreakerOpen", iso(s.failing_since) AS "failingSince"
    FROM subscriptions s JOIN unnest($storeIds::uuid[], $ids::uuid[]) AS h(store_id, id) ON s.store_id = h.store_id AND s.id = h.id
    ORDER BY s.id FOR UPDATE OF s`,
  parameters: { storeIds: 'uuid[]', ids: 'uuid[]' },
  row: {
    id: 'uuid',
    storeId: 'uuid',
    installationId: 'uuid?',
    url: 'text',
    isActive: 'bool',
    isBreakerOpen: 'bool',
    failingSince: 'text?',
  },
});

/**
 * Whether the settlement may change what an operational event reports. Most do not, and need no
 * look before and after.
 */
export const mayCauseEvents = (attempts: readonly AttemptRecord[], health: readonly HealthRecord[]): boolean =>
  attempts.some(({ verdict }) => verdict.kind === 'failed') ||
  health.some(({ failures, probeInSeconds, deactivates }) => failures === 0 || probeInSeconds !== null || deactivates) ||
  // A success of this batch may have closed a breaker, though later failures are what is written.
  (health.length > 0 && attempts.some(({ verdict }) => verdict.kind === 'delivered'));

export const watchChanges = async (
  sql: Sql,
  attempts: readonly AttemptRecord[],
  health: readonly HealthRecord[],
): Promise<() => Promise<readonly NewEvent[]>> => {
  const failed = attempts.filter(({ verdict }) => verdict.kind === 'failed');
  const ending = await sql.rows(ENDING, {
    storeIds: failed.map(({ storeId }) => storeId),
    ids: failed.map(({ deliveryId }) => deliveryId),
    numbers: failed.map(({ number }) => number),
  });
  const byDelivery = new Map(failed.map((row) => [storeKey(row.storeId, row.deliveryId), row]));
  const watched = { storeIds: health.map(({ storeId }) => storeId), ids: health.map(({ subscriptionId }) => subscriptionId) };
  const before = await sql.rows(STATES, watched);
  return async () => {
    const after = new Map((await sql.rows(STATES, watched)).map((row) => [storeKey(row.storeId, row.id), row]));
    const changes = before.flatMap((row) => subscriptionEvents(row, after.get(storeKey(row.storeId, row.id)) ?? row));
    const ends = ending.flatMap((row) => {
      const attempt = byDelivery.get(storeKey(row.storeId, row.id));
      return attempt ? exhaustedEvents({ ...row, attempts: attempt.number, error: deliveryErrorOf(attempt) }) : [];
    });
    return [...changes, ...ends];
  };
};

/** Records the events in this transaction. Returns the stores that have some. */
export const recordOperational = async (
  sql: TransactionSql,
  options: ReplayOptions,
  events: readonly NewEvent[],
): Promise<readonly string[]> => {
  await eventRepository(sql, options, null).append(events);
  return [...new Set(events.map(({ storeId }) => storeId))];
};
