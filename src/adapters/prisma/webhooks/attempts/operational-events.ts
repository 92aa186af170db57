import type { AttemptRecord, HealthRecord } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import { storeKey } from '../../../../domain/store-key.ts';
import { DELIVERY_ERRORS, deliveryErrorOf } from '../../../../domain/webhooks/delivery.ts';
import { SUBSCRIBABLE_TYPES, type NewEvent } from '../../../../domain/webhooks/event.ts';
import { exhaustedEvents, subscriptionEvents } from '../../../../domain/webhooks/operational-event.ts';
import { oneOf } from '../../connection/sql-types.ts';
import type { Sql, TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { eventRepository, type EventOptions } from '../feed/event-repository.ts';

/**
 * SQL for the store of these rows. A batch has rows of many stores, and one statement for all of them is the fastest.
 * A Citus cluster takes it for one store at a time, which each table names.
 */
export type StoreOf = (rows: string) => string;
export const OF_MANY: StoreOf = (rows) => `${rows}.store_id`;
export const OF_ONE: StoreOf = () => '$storeId';

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
const ending = (store: StoreOf): string => `
    SELECT ${ENDED_FIELDS}
    FROM delivery_queue q JOIN unnest($storeIds::uuid[], $ids::uuid[], $numbers::int[]) AS a(store_id, id, number)
        ON q.store_id = ${store('a')} AND q.delivery_id = a.id AND q.attempts = a.number - 1
      JOIN deliveries d ON d.store_id = ${store('q')} AND d.id = q.delivery_id JOIN events e ON e.store_id = ${store('d')} AND e.id = d.event_id
    FOR UPDATE OF q`;
const ATTEMPTS = { storeIds: 'uuid[]', ids: 'uuid[]', numbers: 'int4[]' } as const;
const ENDING = statement({ text: ending(OF_MANY), parameters: ATTEMPTS, row: ENDED_COLUMNS });
const ENDING_OF_STORE = statement({ text: ending(OF_ONE), parameters: { storeId: 'uuid', ...ATTEMPTS }, row: ENDED_COLUMNS });

const states = (store: StoreOf): string => `
    SELECT s.id, s.store_id AS "storeId", s.installation_id AS "installationId", s.url, s.is_active AS "isActive",
      s.probe_at IS NOT NULL AS "isBreakerOpen", iso(s.failing_since) AS "failingSince"
    FROM subscriptions s JOIN unnest($storeIds::uuid[], $ids::uuid[]) AS h(store_id, id) ON s.store_id = ${store('h')} AND s.id = h.id
    ORDER BY s.id FOR UPDATE OF s`;
const SUBSCRIPTIONS = { storeIds: 'uuid[]', ids: 'uuid[]' } as const;
const STATE = {
  id: 'uuid',
  storeId: 'uuid',
  installationId: 'uuid?',
  url: 'text',
  isActive: 'bool',
  isBreakerOpen: 'bool',
  failingSince: 'text?',
} as const;
const STATES = statement({ text: states(OF_MANY), parameters: SUBSCRIPTIONS, row: STATE });
const STATES_OF_STORE = statement({ text: states(OF_ONE), parameters: { storeId: 'uuid', ...SUBSCRIPTIONS }, row: STATE });

/** Attempts and states of subscriptions that are written together. */
export interface Settlement {
  /** Store on a Citus cluster; null for any stores of a PostgreSQL. */
  readonly storeId: string | null;
  readonly attempts: readonly AttemptRecord[];
  readonly health: readonly HealthRecord[];
}

/**
 * True when the settlement may change the facts of an operational event. Most do not, and need no
 * look before and after.
 */
export const mayCauseEvents = ({ attempts, health }: Settlement): boolean =>
  attempts.some(({ verdict }) => verdict.kind === 'failed') ||
  health.some(({ failures, probeInSeconds, deactivates }) => failures === 0 || probeInSeconds !== null || deactivates) ||
  // A success of this batch may have closed a breaker, though later failures are what is written.
  (health.length > 0 && attempts.some(({ verdict }) => verdict.kind === 'delivered'));

export const watchChanges = async (
  sql: Sql,
  { storeId, attempts, health }: Settlement,
): Promise<() => Promise<readonly NewEvent[]>> => {
  const failed = attempts.filter(({ verdict }) => verdict.kind === 'failed');
  const rows = {
    storeIds: failed.map((row) => row.storeId),
    ids: failed.map(({ deliveryId }) => deliveryId),
    numbers: failed.map(({ number }) => number),
  };
  const ended = await (storeId === null ? sql.rows(ENDING, rows) : sql.rows(ENDING_OF_STORE, { storeId, ...rows }));
  const byDelivery = new Map(failed.map((row) => [storeKey(row.storeId, row.deliveryId), row]));
  const watched = { storeIds: health.map((row) => row.storeId), ids: health.map(({ subscriptionId }) => subscriptionId) };
  const look = () => (storeId === null ? sql.rows(STATES, watched) : sql.rows(STATES_OF_STORE, { storeId, ...watched }));
  const before = await look();
  return async () => {
    const after = new Map((await look()).map((row) => [storeKey(row.storeId, row.id), row]));
    const changes = before.flatMap((row) => subscriptionEvents(row, after.get(storeKey(row.storeId, row.id)) ?? row));
    const ends = ended.flatMap((row) => {
      const attempt = byDelivery.get(storeKey(row.storeId, row.id));
      return attempt ? exhaustedEvents({ ...row, attempts: attempt.number, error: deliveryErrorOf(attempt) }) : [];
    });
    return [...changes, ...ends];
  };
};

/** Records the events in this transaction. Returns the stores that have some. */
export const recordOperational = async (
  sql: TransactionSql,
  options: EventOptions,
  events: readonly NewEvent[],
): Promise<readonly string[]> => {
  await eventRepository(sql, options, null).append(events);
  return [...new Set(events.map(({ storeId }) => storeId))];
};
