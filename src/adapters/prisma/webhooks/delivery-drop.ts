import type { Sql } from '../connection/sql.ts';

/** The app's subscriptions, locked in the one order that all use. */
export const subscriptionsOf = async (sql: Sql, installationId: string): Promise<string[]> => {
  const rows = await sql.query<{ id: string }>('SELECT id FROM subscriptions WHERE installation_id = $1 ORDER BY id FOR UPDATE', [
    installationId,
  ]);
  return rows.map((row) => row.id);
};

/**
 * Ends the queued deliveries of the subscriptions, all of them or those of some event types. Call
 * it with fan-outs excluded and, unless the leaseholder calls it, with the leaseholders stopped.
 */
export const endQueued = async (
  sql: Sql,
  status: 'Dropped' | 'Failed',
  subscriptionIds: readonly string[],
  types: readonly string[] | null = null,
): Promise<void> => {
  await sql.query(
    `WITH gone AS (
       DELETE FROM delivery_queue q WHERE q.subscription_id = ANY($2::uuid[])
         AND ($3::text[] IS NULL OR EXISTS (SELECT FROM events e WHERE e.store_id = q.store_id AND e.id = q.event_id AND e.type = ANY($3)))
       RETURNING q.delivery_id
     )
     UPDATE deliveries d SET status = $1, next_attempt_at = NULL, updated_at = statement_timestamp() FROM gone WHERE d.id = gone.delivery_id`,
    [status, subscriptionIds, types],
  );
};
