import type { Cause } from '../../../../domain/cause.ts';
import type { DeliveryLog } from '../../../../domain/ports/webhooks/delivery-log.ts';
import { isoTime } from '../../../../domain/time.ts';
import { frozenBody, type NewEvent } from '../../../../domain/webhooks/event.ts';
import type { SubscriptionKey } from '../../../../domain/webhooks/subscription.ts';
import { NOT_SENDABLE } from '../../../../domain/webhooks/why-not-sendable.ts';
import type { Database } from '../../connection/database.ts';
import { oneOf } from '../../connection/sql-types.ts';
import type { Sql, TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { shareFanOut } from '../../work/fan-out-lock.ts';
import { isReceiver, NOT_SENDABLE_REASON } from '../subscriptions/receivers.ts';
import type { EventOptions } from '../feed/event-repository.ts';
import { DELIVER_PING, QUEUE_AGAIN, QUEUE_NEW } from './queue-row.ts';

/** The delivery with what decides whether it may still be sent to its subscription. `join` is how one without it is taken. */
export const receiver = (
  join: 'JOIN' | 'LEFT JOIN',
): string => `deliveries d JOIN events e ON d.store_id = $storeId AND e.store_id = d.store_id AND e.id = d.event_id
  ${join} subscriptions s ON s.store_id = d.store_id AND s.id = d.subscription_id
  LEFT JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id`;

const IDS = { storeId: 'uuid', ids: 'uuid[]' } as const;

/**
 * Makes deliveries of the store due now with a new schedule. A delivery that is due
 * already keeps its place in the queue, since an attempt may be in progress.
 */
const DUE_AGAIN = statement({
  text: `
    UPDATE deliveries SET status = 'Pending', updated_at = statement_timestamp(), next_attempt_at = least(next_attempt_at, now_ms())
    WHERE store_id = $storeId AND id = ANY ($ids)`,
  parameters: IDS,
});

/** The caller has locked them. */
export const sendAgain = (sql: TransactionSql, storeId: string, ids: readonly string[]): void => {
  sql.enqueue(DUE_AGAIN, { storeId, ids });
  sql.enqueue(QUEUE_AGAIN, { storeId, ids });
};

const ID = { storeId: 'uuid', id: 'uuid' } as const;

const SUBSCRIPTION_OF = statement({
  text: 'SELECT subscription_id AS "subscriptionId" FROM deliveries WHERE store_id = $storeId AND id = $id',
  parameters: ID,
  row: { subscriptionId: 'uuid' },
});

const NOT_SENDABLE_NOW = statement({
  text: `SELECT ${NOT_SENDABLE_REASON} AS because FROM ${receiver('LEFT JOIN')} WHERE d.id = $id`,
  parameters: ID,
  row: { because: oneOf('text?', NOT_SENDABLE) },
});

export const LOCK_QUEUED = statement({
  text: 'SELECT FROM delivery_queue WHERE store_id = $storeId AND delivery_id = ANY ($ids) ORDER BY delivery_id FOR UPDATE',
  parameters: IDS,
});

const SHARE_SUBSCRIPTION = statement({
  text: 'SELECT is_active AS active FROM subscriptions WHERE store_id = $storeId AND id = $id FOR SHARE',
  parameters: ID,
  row: { active: 'bool' },
});

const FAILED = statement({
  text: `
    SELECT d.id FROM ${receiver('JOIN')}
    WHERE d.subscription_id = $id AND d.id >= uuid7_floor($since::timestamptz) AND d.status = 'Failed'
      AND ${isReceiver()}
    ORDER BY d.id LIMIT $limit FOR UPDATE OF d`,
  parameters: { ...ID, since: 'timestamptz', limit: 'int8' },
  row: { id: 'uuid' },
});

const PING = statement({
  text: `
    INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, request_id, traceparent, body, created_at)
    VALUES ($id, $storeId, 'ping', $subscriptionId::uuid::text, NULL, $requestId, $traceparent, $body, clock_timestamp())`,
  parameters: { ...ID, subscriptionId: 'uuid', requestId: 'uuid?', traceparent: 'text?', body: 'text' },
});

export const requeueDelivery = (database: Database, storeId: string, id: string): ReturnType<DeliveryLog['redeliver']> =>
  database.transaction(async (sql) => {
    const [delivery] = await sql.rows(SUBSCRIPTION_OF, { storeId, id });
    if (!delivery) return null;
    await shareFanOut(sql, storeId);
    const [refusal] = await sql.rows(NOT_SENDABLE_NOW, { storeId, id });
    if (refusal?.because != null) return refusal.because;
    // In the order in which a settlement locks the two.
    await sql.execute(LOCK_QUEUED, { storeId, ids: [id] });
    sendAgain(sql, storeId, [id]);
    return delivery;
  });

/**
 * True when the subscription is active; null when it does not exist. The lock keeps the state:
 * fan-outs continue, and removals wait. Rows that a removal deletes are not put back.
 */
const isActive = async (sql: Sql, { storeId, subscriptionId }: SubscriptionKey): Promise<boolean | null> => {
  await shareFanOut(sql, storeId);
  const [subscription] = await sql.rows(SHARE_SUBSCRIPTION, { storeId, id: subscriptionId });
  return subscription?.active ?? null;
};

export const requeueFailedDeliveries = (
  database: Database,
  subscription: SubscriptionKey,
  since: number,
  limit: number,
): ReturnType<DeliveryLog['redeliverFailed']> =>
  database.transaction(async (sql) => {
    const active = await isActive(sql, subscription);
    if (active === null) return null;
    if (!active) return 'gone';
    const { storeId, subscriptionId: id } = subscription;
    const failed = (await sql.rows(FAILED, { storeId, id, since: isoTime(since), limit })).map((row) => row.id);
    sendAgain(sql, storeId, failed);
    return failed.length;
  });

export const ping = (
  database: Database,
  { clock, ids }: EventOptions,
  cause: Cause,
  subscription: SubscriptionKey,
): Promise<boolean> =>
  database.transaction(async (sql) => {
    if ((await isActive(sql, subscription)) !== true) return false;
    const { storeId, subscriptionId } = subscription;
    const id = ids.next();
    const event: NewEvent = { storeId, type: 'ping', resourceId: subscriptionId, origin: null, data: { id: subscriptionId } };
    sql.enqueue(PING, {
      id,
      storeId,
      subscriptionId,
      requestId: cause?.requestId ?? null,
      traceparent: cause?.traceparent ?? null,
      body: frozenBody(event, id, isoTime(clock.now())),
    });
    sql.enqueue(DELIVER_PING, { id, storeId, subscriptionId });
    sql.enqueue(QUEUE_NEW, { storeId, eventIds: [id] });
    return true;
  });
