import type { Sql } from '../connection/sql.ts';
import { endFigures } from '../work/delivery-figures.ts';
import { statement } from '../connection/statement.ts';

const LOCK_SUBSCRIPTIONS = statement({
  text: 'SELECT id FROM subscriptions WHERE installation_id = $installationId ORDER BY id FOR UPDATE',
  parameters: { installationId: 'uuid' },
  row: { id: 'uuid' },
});

const END_QUEUED = statement({
  text: `
    WITH gone AS (
      DELETE FROM delivery_queue q WHERE q.subscription_id = ANY ($subscriptionIds)
        AND ($types::text[] IS NULL OR EXISTS (
          SELECT FROM events e WHERE e.store_id = q.store_id AND e.id = q.event_id AND e.type = ANY ($types)))
      RETURNING q.delivery_id
    ), ended AS (
    UPDATE deliveries d SET status = $status, error = coalesce(d.error, $error), next_attempt_at = NULL, updated_at = statement_timestamp()
    FROM gone WHERE d.id = gone.delivery_id RETURNING d.store_id, d.subscription_id, d.status
    )
    ${endFigures('ended')}`,
  parameters: { status: 'text', error: 'text', subscriptionIds: 'uuid[]', types: 'text[]?' },
});

/** The subscriptions of an app, locked in the order in which every transaction locks them. */
export const subscriptionsOf = async (sql: Sql, installationId: string): Promise<string[]> =>
  (await sql.rows(LOCK_SUBSCRIPTIONS, { installationId })).map(({ id }) => id);

/**
 * Ends what is queued for the subscriptions, or the part of it that has one of the event types.
 * Call it with the fan-outs excluded and, unless the caller has the lease, with the leaseholders
 * stopped.
 */
export const endQueued = async (
  sql: Sql,
  status: 'Dropped' | 'Failed',
  subscriptionIds: readonly string[],
  types: readonly string[] | null = null,
): Promise<void> => {
  await sql.execute(END_QUEUED, { status, error: status === 'Dropped' ? 'dropped' : 'deactivated', subscriptionIds, types });
};
