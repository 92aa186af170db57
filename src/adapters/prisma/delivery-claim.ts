import type { DueDelivery } from '../../domain/ports/delivery-repository.ts';
import type { Sql } from './database.ts';

const MAX_BODY_BYTES = 1_048_576;

// A length is known without reading the body. The update judges again what another wrote since: it ended, and is not taken.
const CLAIM = `
  WITH due AS (
    SELECT d.id, d.next_attempt_at AS due_at, e.body, sum(octet_length(e.body)) OVER (ORDER BY d.next_attempt_at, d.id) AS bytes,
      octet_length(e.body) AS own, extract(epoch FROM statement_timestamp() - e.created_at)::float AS age
    FROM (
      SELECT id, store_id, event_id, next_attempt_at FROM deliveries
      WHERE subscription_id = $1 AND next_attempt_at <= statement_timestamp() AND id <> ALL($3::uuid[])
      ORDER BY next_attempt_at, id LIMIT $2
    ) d JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
  ), claimed AS (
    UPDATE deliveries d SET status = 'Delivering', updated_at = statement_timestamp() FROM due
    WHERE d.id = due.id AND d.next_attempt_at IS NOT NULL AND (due.bytes <= ${MAX_BODY_BYTES} OR due.bytes = due.own)
    RETURNING d.id, d.event_id, due.body, d.attempts, d.tries, due.age, due.due_at
  )
  SELECT id, event_id AS "eventId", body, attempts, tries, age AS "ageSeconds" FROM claimed ORDER BY due_at, id`;

export const claim = (sql: Sql, subscriptionId: string, limit: number, unsettled: readonly string[]): Promise<DueDelivery[]> =>
  sql.query<DueDelivery>(CLAIM, [subscriptionId, limit, unsettled]);

export const release = async (sql: Sql, deliveryIds: readonly string[]): Promise<void> => {
  if (deliveryIds.length === 0) return;
  await sql.query(
    `UPDATE deliveries SET status = 'Pending', updated_at = statement_timestamp() WHERE id = ANY($1::uuid[]) AND status = 'Delivering'`,
    [deliveryIds],
  );
};

export const nextDueSeconds = async (sql: Sql, subscriptionId: string): Promise<number | null> => {
  const [row] = await sql.query<{ seconds: number }>(
    `SELECT greatest(0, extract(epoch FROM next_attempt_at - statement_timestamp()))::float AS seconds
     FROM deliveries WHERE subscription_id = $1 AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1`,
    [subscriptionId],
  );
  return row?.seconds ?? null;
};
