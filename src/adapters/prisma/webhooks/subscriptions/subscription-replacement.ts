import { MAX_TAKEN_OVER, type SubscriptionChanges } from '../../../../domain/ports/webhooks/subscription-changes.ts';
import type { NewSubscription } from '../../../../domain/ports/webhooks/subscription-repository.ts';
import type { Database } from '../../connection/database.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { excludeFanOut } from '../../work/fan-out-lock.ts';
import { type AnnounceStop, stopWork } from '../../work/stop-work.ts';
import { endBatch, ENDED_AT_ONCE, endQueued } from '../queue/ending.ts';
import { isEnding } from '../queue/queue-row.ts';
import { addSubscription, DELETE, lockOwner, OWNED, OWNED_STATE, subscriptionOf } from './subscription-rows.ts';

const REPLACED = { storeId: 'uuid', replaced: 'uuid' } as const;
const BOTH = { ...REPLACED, id: 'uuid' } as const;

const WAITING = statement({
  text: `
    SELECT ${isEnding('$storeId', '$replaced')} AS "isEnding", (SELECT count(*) FROM (
      SELECT FROM delivery_queue WHERE store_id = $storeId AND subscription_id = $replaced LIMIT ${MAX_TAKEN_OVER + 1}) q)::int AS count`,
  parameters: REPLACED,
  row: { isEnding: 'bool', count: 'int4' },
});

/**
 * The replacement matches the events that the other matched, those that wait for their fan-out
 * included, and stays paused.
 */
const CONTINUE = statement({
  text: `
    UPDATE subscriptions s SET created_at = o.created_at, paused_at = o.paused_at FROM subscriptions o
    WHERE s.store_id = $storeId AND s.id = $id AND o.store_id = $storeId AND o.id = $replaced`,
  parameters: BOTH,
});

/** Queued types that the new subscription does not name. */
const UNNAMED = statement({
  text: `
    SELECT DISTINCT e.type FROM delivery_queue q
      CROSS JOIN LATERAL (SELECT type FROM events WHERE store_id = $storeId AND id = q.event_id OFFSET 0) e
    WHERE q.store_id = $storeId AND q.subscription_id = $replaced AND e.type <> 'ping' AND e.type <> ALL ($eventTypes::text[])`,
  parameters: { ...REPLACED, eventTypes: 'text[]' },
  row: { type: 'text' },
});

const TAKE_OVER = statement({
  text: `
    WITH moved AS (
      UPDATE delivery_queue SET subscription_id = $id WHERE store_id = $storeId AND subscription_id = $replaced RETURNING delivery_id
    )
    UPDATE deliveries d SET subscription_id = $id FROM moved WHERE d.store_id = $storeId AND d.id = moved.delivery_id`,
  parameters: BOTH,
});

/**
 * Returns the reason against a replacement, while nothing is sent to the replaced subscription and
 * no fan-out runs.
 */
const refusalOf = async (
  sql: Sql,
  { storeId, installationId }: NewSubscription,
  replaced: string,
): Promise<'deactivated' | 'ending' | 'waiting' | 'gone' | null> => {
  const [state] = await sql.rows(OWNED_STATE, { id: replaced, storeId, installationId });
  if (!state) return 'gone';
  if (!state.isActive) return 'deactivated';
  await endBatch(sql, storeId, ENDED_AT_ONCE, [replaced]);
  const [waiting] = await sql.rows(WAITING, { storeId, replaced });
  if (waiting?.isEnding === true) return 'ending';
  return (waiting?.count ?? 0) > MAX_TAKEN_OVER ? 'waiting' : null;
};

/** Ends what the new one does not name. All of it: the queue is known to be short. */
const dropUnnamed = async (sql: Sql, { storeId, eventTypes }: NewSubscription, replaced: string): Promise<void> => {
  const types = (await sql.rows(UNNAMED, { storeId, replaced, eventTypes })).map(({ type }) => type);
  if (types.length === 0) return;
  await endQueued(sql, storeId, 'Dropped', [replaced], types);
  await endBatch(sql, storeId, MAX_TAKEN_OVER + 1, [replaced]);
};

export const replaceSubscription =
  (database: Database, announce?: AnnounceStop): SubscriptionChanges['replace'] =>
  (subscription, replaced) =>
    database.transaction(async (sql) => {
      const { id, storeId, installationId } = subscription;
      // Only the owner makes its deliveries stop.
      if ((await sql.execute(OWNED_STATE, { id: replaced, storeId, installationId })) === 0) return null;
      await stopWork(sql, 'subscription', { storeId, id: replaced }, { announce });
      if (installationId !== null && !(await lockOwner(sql, storeId, installationId))) return null;
      await excludeFanOut(sql, storeId);
      const refusal = await refusalOf(sql, subscription, replaced);
      if (refusal !== null) return refusal === 'gone' ? null : refusal;
      await dropUnnamed(sql, subscription, replaced);
      await addSubscription(sql, subscription);
      await sql.execute(CONTINUE, { storeId, id, replaced });
      await sql.execute(TAKE_OVER, { storeId, id, replaced });
      await sql.execute(DELETE, { storeId, id: replaced });
      return (await sql.rows(OWNED, { storeId, installationId, id })).flatMap(subscriptionOf)[0] ?? null;
    });
