import type { Cause } from '../../../domain/cause.ts';
import { frozenBody, type NewEvent } from '../../../domain/webhooks/event.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { DeliveryLog } from '../../../domain/ports/webhooks/delivery-log.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { ACCEPTED_SCOPES, mayReceive } from './delivery-matching.ts';
import { shareFanOut } from '../work/fan-out-lock.ts';

export interface ReplayOptions {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The subscription of the delivery, if it may still receive the event. */
export const RECEIVER = `deliveries d JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
  JOIN subscriptions s ON s.id = d.subscription_id LEFT JOIN installations i ON i.id = s.installation_id
  LEFT JOIN ${ACCEPTED_SCOPES} ON a.type = e.type`;

/**
 * Makes deliveries due now with a new schedule. `condition` is SQL on `d`. A delivery that is due
 * already keeps its place in the queue, since an attempt may be in progress.
 */
export const dueAgain = (condition: string): string => `
  WITH again AS (
    UPDATE deliveries d SET status = 'Pending', updated_at = statement_timestamp(),
      next_attempt_at = CASE WHEN d.next_attempt_at <= statement_timestamp() THEN d.next_attempt_at ELSE now_ms() END
    WHERE ${condition} RETURNING d.id, d.subscription_id, d.store_id, d.event_id, d.next_attempt_at, d.attempts
  )
  INSERT INTO delivery_queue (delivery_id, subscription_id, store_id, event_id, due_at, attempts) SELECT * FROM again
  ON CONFLICT (delivery_id) DO UPDATE SET due_at = excluded.due_at, tries = 0`;

const ID = { id: 'uuid' } as const;

const STORE_OF = statement({
  text: 'SELECT store_id AS "storeId" FROM subscriptions WHERE id = $id',
  parameters: ID,
  row: { storeId: 'uuid' },
});

const SUBSCRIPTION_OF = statement({
  text: 'SELECT subscription_id AS "subscriptionId" FROM deliveries WHERE id = $id',
  parameters: ID,
  row: { subscriptionId: 'uuid' },
});

const MAY_RECEIVE = statement({
  text: `SELECT FROM ${RECEIVER} WHERE d.id = $id AND ${mayReceive('e.type', 'e.origin_installation_id')}`,
  parameters: ID,
});

const LOCK_QUEUED = statement({ text: 'SELECT FROM delivery_queue WHERE delivery_id = $id FOR UPDATE', parameters: ID });

const REDELIVER = statement({ text: dueAgain('d.id = $id'), parameters: ID });

const SHARE_SUBSCRIPTION = statement({
  text: 'SELECT is_active AS active FROM subscriptions WHERE id = $id FOR SHARE',
  parameters: ID,
  row: { active: 'bool' },
});

const REDELIVER_FAILED = statement({
  text: dueAgain(`d.status = 'Failed' AND d.id IN (
    SELECT d.id FROM ${RECEIVER}
    WHERE d.subscription_id = $id AND d.id >= uuid7_floor($since::timestamptz) AND d.status = 'Failed'
      AND ${mayReceive('e.type', 'e.origin_installation_id')}
    ORDER BY d.id LIMIT $limit FOR UPDATE OF d)`),
  parameters: { ...ID, since: 'timestamptz', limit: 'int8' },
});

const PING = statement({
  text: `
    WITH event AS (
      INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, request_id, body, created_at)
      VALUES ($id, $storeId, 'ping', $subscriptionId::uuid::text, NULL, $requestId, $body, clock_timestamp()) RETURNING store_id, id
    ), made AS (
      INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, next_attempt_at, created_at)
      SELECT uuid7(now_ms()), e.store_id, e.id, s.id, s.installation_id, now_ms(), now_ms()
      FROM event e JOIN subscriptions s ON s.id = $subscriptionId
      RETURNING id, store_id, event_id, subscription_id, next_attempt_at
    )
    INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at) SELECT * FROM made`,
  parameters: { ...ID, storeId: 'uuid', subscriptionId: 'uuid', requestId: 'uuid?', body: 'text' },
});

/**
 * Locks the subscription's store: fan-outs continue, and removals wait. What a removal takes away
 * is not put back.
 */
const lockStoreOf = async (sql: Sql, id: string): Promise<string | null> => {
  const [row] = await sql.rows(STORE_OF, { id });
  if (row) await shareFanOut(sql, row.storeId);
  return row?.storeId ?? null;
};

export const redeliver = (database: Database, id: string): ReturnType<DeliveryLog['redeliver']> =>
  database.transaction(async (sql) => {
    const [delivery] = await sql.rows(SUBSCRIPTION_OF, { id });
    if (!delivery) return null;
    await lockStoreOf(sql, delivery.subscriptionId);
    if ((await sql.execute(MAY_RECEIVE, { id })) === 0) return 'gone';
    // In the order in which a settlement locks the two.
    await sql.execute(LOCK_QUEUED, { id });
    await sql.execute(REDELIVER, { id });
    return delivery;
  });

export const redeliverFailed = (
  database: Database,
  id: string,
  since: number,
  limit: number,
): ReturnType<DeliveryLog['redeliverFailed']> =>
  database.transaction(async (sql) => {
    if ((await lockStoreOf(sql, id)) === null) return null;
    const [subscription] = await sql.rows(SHARE_SUBSCRIPTION, { id });
    if (!subscription) return null;
    if (!subscription.active) return 'gone';
    return sql.execute(REDELIVER_FAILED, { id, since: isoTime(since), limit });
  });

export const ping = (database: Database, { clock, ids }: ReplayOptions, cause: Cause, subscriptionId: string): Promise<boolean> =>
  database.transaction(async (sql) => {
    const storeId = await lockStoreOf(sql, subscriptionId);
    if (storeId === null) return false;
    const [subscription] = await sql.rows(SHARE_SUBSCRIPTION, { id: subscriptionId });
    if (!subscription?.active) return false;
    const id = ids.next();
    const event: NewEvent = { storeId, type: 'ping', resourceId: subscriptionId, origin: null, data: { id: subscriptionId } };
    await sql.execute(PING, {
      id,
      storeId,
      subscriptionId,
      requestId: cause?.requestId ?? null,
      body: frozenBody(event, id, isoTime(clock.now())),
    });
    return true;
  });
