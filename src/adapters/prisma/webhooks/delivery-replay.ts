import { frozenBody } from '../../../domain/webhooks/event.ts';
import type { NewEvent } from '../../../domain/webhooks/event.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { DeliveryLog } from '../../../domain/ports/delivery-log.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { ACCEPTED_SCOPES, mayReceive } from './delivery-matching.ts';
import { shareFanOut } from '../work/fan-out-lock.ts';

export interface ReplayOptions {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The delivery's subscription, if it may still receive the event. */
const RECEIVER = `deliveries d JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
  JOIN subscriptions s ON s.id = d.subscription_id LEFT JOIN installations i ON i.id = s.installation_id
  LEFT JOIN ${ACCEPTED_SCOPES} ON a.type = e.type`;

/**
 * Makes the deliveries that match a condition on `d` due now, with a new schedule. Deliveries that
 * are due already keep their place in the queue, since they may be under way.
 */
const dueAnew = (condition: string): string => `
  WITH again AS (
    UPDATE deliveries d SET status = 'Pending', updated_at = statement_timestamp(),
      next_attempt_at = CASE WHEN d.next_attempt_at <= statement_timestamp() THEN d.next_attempt_at ELSE now_ms() END
    WHERE ${condition} RETURNING d.id, d.subscription_id, d.store_id, d.event_id, d.next_attempt_at, d.attempts
  )
  INSERT INTO delivery_queue (delivery_id, subscription_id, store_id, event_id, due_at, attempts) SELECT * FROM again
  ON CONFLICT (delivery_id) DO UPDATE SET due_at = excluded.due_at, tries = 0
  RETURNING 1`;

/**
 * Locks the subscription's store. Fan-outs continue and removals wait, so that what a removal takes
 * away is not restored.
 */
const lockStoreOf = async (sql: Sql, subscriptionId: string): Promise<string | null> => {
  const [row] = await sql.query<{ storeId: string }>('SELECT store_id AS "storeId" FROM subscriptions WHERE id = $1', [
    subscriptionId,
  ]);
  if (row) await shareFanOut(sql, row.storeId);
  return row?.storeId ?? null;
};

export const redeliver = (database: Database, id: string): ReturnType<DeliveryLog['redeliver']> =>
  database.transaction(async (sql) => {
    const [delivery] = await sql.query<{ subscriptionId: string }>(
      'SELECT subscription_id AS "subscriptionId" FROM deliveries WHERE id = $1',
      [id],
    );
    if (!delivery) return null;
    await lockStoreOf(sql, delivery.subscriptionId);
    const receiver = await sql.query(
      `SELECT FROM ${RECEIVER} WHERE d.id = $1 AND ${mayReceive('e.type', 'e.origin_installation_id')}`,
      [id],
    );
    if (receiver.length === 0) return 'gone';
    // In the order in which a settlement locks the two.
    await sql.query('SELECT FROM delivery_queue WHERE delivery_id = $1 FOR UPDATE', [id]);
    await sql.query(dueAnew('d.id = $1'), [id]);
    return delivery;
  });

export const redeliverFailed = (
  database: Database,
  subscriptionId: string,
  since: number,
  limit: number,
): ReturnType<DeliveryLog['redeliverFailed']> =>
  database.transaction(async (sql) => {
    if ((await lockStoreOf(sql, subscriptionId)) === null) return null;
    const [subscription] = await sql.query<{ active: boolean }>(
      'SELECT is_active AS active FROM subscriptions WHERE id = $1 FOR SHARE',
      [subscriptionId],
    );
    if (!subscription) return null;
    if (!subscription.active) return 'gone';
    const again = await sql.query(
      dueAnew(`d.status = 'Failed' AND d.id IN (
        SELECT d.id FROM ${RECEIVER}
        WHERE d.subscription_id = $1 AND d.id >= uuid7_floor($2::timestamptz) AND d.status = 'Failed'
          AND ${mayReceive('e.type', 'e.origin_installation_id')}
        ORDER BY d.id LIMIT $3 FOR UPDATE OF d)`),
      [subscriptionId, isoTime(since), limit],
    );
    return again.length;
  });

const PING = `
  WITH event AS (
    INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, body, created_at)
    VALUES ($1, $2, 'ping', $3, NULL, $4, clock_timestamp()) RETURNING store_id, id
  ), made AS (
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, next_attempt_at, created_at)
    SELECT uuid7(now_ms()), e.store_id, e.id, s.id, s.installation_id, now_ms(), now_ms()
    FROM event e JOIN subscriptions s ON s.id = $3::uuid
    RETURNING id, store_id, event_id, subscription_id, next_attempt_at
  )
  INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at) SELECT * FROM made`;

export const ping = (database: Database, { clock, ids }: ReplayOptions, subscriptionId: string): Promise<boolean> =>
  database.transaction(async (sql) => {
    const storeId = await lockStoreOf(sql, subscriptionId);
    if (storeId === null) return false;
    const active = await sql.query('SELECT FROM subscriptions WHERE id = $1 AND is_active FOR SHARE', [subscriptionId]);
    if (active.length === 0) return false;
    const id = ids.next();
    const event: NewEvent = { storeId, type: 'ping', resourceId: subscriptionId, origin: null, data: { id: subscriptionId } };
    await sql.query(PING, [id, storeId, subscriptionId, frozenBody(event, id, isoTime(clock.now()))]);
    return true;
  });
