import type { DeliveryRepository } from '../../../domain/ports/delivery-repository.ts';
import type { Database } from '../connection/database.ts';
import { IS_HELD, SUBSCRIPTIONS } from './delivery-matching.ts';

type Sweeps = Pick<
  DeliveryRepository,
  'storesToFanOut' | 'subscriptionsToWake' | 'queuedSubscriptions' | 'expireHeld' | 'purge' | 'figures'
>;

/** Every queued delivery has a subscription, so each subscription is asked for its deliveries. */
const QUEUED = 'SELECT FROM delivery_queue q WHERE q.subscription_id = s.id';

const PURGE = `
  WITH gone AS (
    DELETE FROM deliveries WHERE id IN (
      SELECT id FROM deliveries WHERE id < uuid7_floor(statement_timestamp() - make_interval(days => $1)) AND next_attempt_at IS NULL
      ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING id
  ), log AS (
    DELETE FROM delivery_attempts a USING gone WHERE a.delivery_id = gone.id
  )
  SELECT count(*)::int AS n FROM gone`;

const PURGE_EVENTS = `
  WITH gone AS (
    DELETE FROM events WHERE (store_id, id) IN (
      SELECT e.store_id, e.id FROM events e
      WHERE e.created_at < statement_timestamp() - make_interval(days => $1)
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.store_id = e.store_id)
        AND NOT EXISTS (SELECT FROM pending_events p WHERE p.store_id = e.store_id AND p.event_id = e.id)
      ORDER BY e.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING id
  )
  SELECT count(*)::int AS n FROM gone`;

export const deliverySweeps = (database: Database): Sweeps => {
  const ids = async (text: string, values: readonly unknown[] = []): Promise<string[]> =>
    (await database.query<{ id: string }>(text, values)).map(({ id }) => id);
  const count = async (text: string, values: readonly unknown[]): Promise<number> =>
    (await database.query<{ n: number }>(text, values))[0]?.n ?? 0;
  return {
    storesToFanOut: () => ids('SELECT id FROM stores st WHERE EXISTS (SELECT FROM pending_events p WHERE p.store_id = st.id)'),
    subscriptionsToWake: () =>
      ids(
        `SELECT s.id FROM ${SUBSCRIPTIONS} WHERE s.is_active AND NOT ${IS_HELD} AND coalesce(s.probe_at <= statement_timestamp(), true)
           AND EXISTS (${QUEUED} AND q.due_at <= statement_timestamp())`,
      ),
    queuedSubscriptions: ({ storeId, installationId }) =>
      ids(
        `SELECT s.id FROM subscriptions s WHERE s.store_id = $1 AND ($2::uuid IS NULL OR s.installation_id = $2) AND EXISTS (${QUEUED})`,
        [storeId, installationId ?? null],
      ),
    expireHeld: (seconds, limit) =>
      count(
        `WITH expired AS (
           DELETE FROM delivery_queue WHERE delivery_id IN (
             SELECT q.delivery_id FROM ${SUBSCRIPTIONS} JOIN delivery_queue q ON q.subscription_id = s.id
               JOIN events e ON e.store_id = q.store_id AND e.id = q.event_id
             WHERE ${IS_HELD} AND e.created_at < statement_timestamp() - make_interval(secs => $1)
             LIMIT $2 FOR UPDATE OF q SKIP LOCKED
           ) RETURNING delivery_id
         ), failed AS (
           UPDATE deliveries d SET status = 'Failed', next_attempt_at = NULL, updated_at = statement_timestamp()
           FROM expired x WHERE d.id = x.delivery_id
         )
         SELECT count(*)::int AS n FROM expired`,
        [seconds, limit],
      ),
    purge: async (days, limit) => {
      const deliveries = await count(PURGE, [days, limit]);
      return deliveries === limit ? limit : deliveries + (await count(PURGE_EVENTS, [days, limit - deliveries]));
    },
    figures: async () => {
      const [row] = await database.query<{ queued: number; oldest: number; open: number }>(
        `SELECT coalesce(sum(q.n), 0)::int AS queued, count(*) FILTER (WHERE s.probe_at IS NOT NULL)::int AS open,
           greatest(0, coalesce(extract(epoch FROM statement_timestamp() - min(q.due)), 0))::float AS oldest
         FROM ${SUBSCRIPTIONS} CROSS JOIN LATERAL (
           SELECT count(*) AS n, min(q.due_at) AS due FROM delivery_queue q
           WHERE q.subscription_id = s.id AND s.probe_at IS NULL AND NOT ${IS_HELD}
         ) q WHERE s.is_active`,
      );
      return { queued: row?.queued ?? 0, oldestDueSeconds: row?.oldest ?? 0, openBreakers: row?.open ?? 0 };
    },
  };
};
