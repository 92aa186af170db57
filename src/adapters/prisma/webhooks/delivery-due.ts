import type { DueDelivery } from '../../../domain/ports/delivery-repository.ts';
import type { SharedBodies } from './shared-bodies.ts';
import type { Sql } from '../connection/sql.ts';

type Row = { -readonly [Field in keyof DueDelivery]: DueDelivery[Field] };

const MAX_BODY_BYTES = 1_048_576;

/**
 * The length is known without reading the body. OFFSET 0 keeps one look-up for each event, in the
 * order of the queue: as a join, the planner would read the whole table when it is small or its
 * statistics are old. The limit is part of the text, and callers use two: as a parameter it could
 * be anything, and PostgreSQL would plan each call.
 */
const dueOf = (limit: number): string => `
  SELECT id, "eventId", body, attempts, tries, "ageSeconds" FROM (
    SELECT q.delivery_id AS id, q.event_id AS "eventId", e.body, q.attempts, q.tries, q.due_at, octet_length(e.body) AS own,
      sum(octet_length(e.body)) OVER (ORDER BY q.due_at, q.delivery_id ROWS UNBOUNDED PRECEDING) AS bytes,
      extract(epoch FROM statement_timestamp() - e.created_at)::float AS "ageSeconds"
    FROM (
      SELECT * FROM delivery_queue
      WHERE subscription_id = $1 AND due_at <= statement_timestamp() AND delivery_id <> ALL($2::uuid[])
      ORDER BY due_at, delivery_id LIMIT ${Math.trunc(limit)}
    ) q CROSS JOIN LATERAL (SELECT body, created_at FROM events WHERE store_id = q.store_id AND id = q.event_id OFFSET 0) e
  ) d WHERE bytes <= ${MAX_BODY_BYTES} OR bytes = own ORDER BY due_at, id`;

export const due = async (
  sql: Sql,
  bodies: SharedBodies,
  { subscriptionId, limit, taken }: { subscriptionId: string; limit: number; taken: readonly string[] },
): Promise<DueDelivery[]> => {
  const rows = await sql.query<Row>(dueOf(limit), [subscriptionId, taken]);
  for (const row of rows) row.body = bodies.of(row.eventId, row.body);
  return rows;
};

export const nextDueSeconds = async (sql: Sql, subscriptionId: string): Promise<number | null> => {
  const [row] = await sql.query<{ seconds: number }>(
    `SELECT greatest(0, extract(epoch FROM due_at - statement_timestamp()))::float AS seconds
     FROM delivery_queue WHERE subscription_id = $1 ORDER BY due_at LIMIT 1`,
    [subscriptionId],
  );
  return row?.seconds ?? null;
};
