import type { Sql } from './database.ts';

/** Of a store's or an app's subscriptions, in the one order in which their rows are locked. */
export const subscriptionsOf = async (sql: Sql, owner: 'installation' | 'store', id: string): Promise<string[]> => {
  const text = {
    installation: 'SELECT id FROM subscriptions WHERE installation_id = $1 ORDER BY id FOR UPDATE',
    store: 'SELECT id FROM subscriptions WHERE store_id = $1 ORDER BY id FOR UPDATE',
  };
  const rows = await sql.query<{ id: string }>(text[owner], [id]);
  return rows.map((row) => row.id);
};

/**
 * Ends as Dropped what is queued for the subscriptions, all of it or that of some event types. To be called with the fan-outs excluded
 * and the holders stopped.
 */
export const dropQueued = async (
  sql: Sql,
  subscriptionIds: readonly string[],
  types: readonly string[] | null,
): Promise<void> => {
  await sql.query(
    `UPDATE deliveries d SET status = 'Dropped', next_attempt_at = NULL, updated_at = statement_timestamp()
     WHERE d.subscription_id = ANY($1::uuid[]) AND d.next_attempt_at IS NOT NULL
       AND ($2::text[] IS NULL OR EXISTS (SELECT FROM events e WHERE e.store_id = d.store_id AND e.id = d.event_id AND e.type = ANY($2)))`,
    [subscriptionIds, types],
  );
};

/** Makes what a stopped holder had taken Pending again, as it was: no attempt is used up. */
export const putBack = async (sql: Sql, subscriptionIds: readonly string[]): Promise<void> => {
  await sql.query(
    `UPDATE deliveries SET status = 'Pending' WHERE subscription_id = ANY($1::uuid[]) AND next_attempt_at IS NOT NULL AND status = 'Delivering'`,
    [subscriptionIds],
  );
};
