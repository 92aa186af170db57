import type { DueDelivery } from '../../domain/ports/delivery-repository.ts';
import type { Sql } from './sql.ts';

const MAX_BODY_BYTES = 1_048_576;

// A length is known without reading the body.
const DUE = `
  SELECT id, "eventId", body, attempts, tries, "ageSeconds" FROM (
    SELECT q.delivery_id AS id, q.event_id AS "eventId", e.body, q.attempts, q.tries, q.due_at, octet_length(e.body) AS own,
      sum(octet_length(e.body)) OVER (ORDER BY q.due_at, q.delivery_id) AS bytes,
      extract(epoch FROM statement_timestamp() - e.created_at)::float AS "ageSeconds"
    FROM (
      SELECT * FROM delivery_queue
      WHERE subscription_id = $1 AND due_at <= statement_timestamp() AND delivery_id <> ALL($3::uuid[])
      ORDER BY due_at, delivery_id LIMIT $2
    ) q JOIN events e ON e.store_id = q.store_id AND e.id = q.event_id
  ) d WHERE bytes <= ${MAX_BODY_BYTES} OR bytes = own ORDER BY due_at, id`;

export const due = (sql: Sql, subscriptionId: string, limit: number, taken: readonly string[]): Promise<DueDelivery[]> =>
  sql.query<DueDelivery>(DUE, [subscriptionId, limit, taken]);

export const nextDueSeconds = async (sql: Sql, subscriptionId: string): Promise<number | null> => {
  const [row] = await sql.query<{ seconds: number }>(
    `SELECT greatest(0, extract(epoch FROM due_at - statement_timestamp()))::float AS seconds
     FROM delivery_queue WHERE subscription_id = $1 ORDER BY due_at LIMIT 1`,
    [subscriptionId],
  );
  return row?.seconds ?? null;
};
