import type { DueDelivery } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { storeKey } from '../../../domain/store-key.ts';
import type { SubscriptionKey } from '../../../domain/webhooks/subscription.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { IS_DUE, firstSendable } from './delivery-ending-statements.ts';
import type { SharedBodies } from './shared-bodies.ts';

const MAX_BODY_BYTES = 1_048_576;

/** More than any caller asks for. */
const MAX_LIMIT = 100;

const DELIVERY = {
  id: 'uuid',
  eventId: 'uuid',
  body: 'text',
  traceparent: 'text?',
  attempts: 'int4',
  tries: 'int4',
  ageSeconds: 'float8',
} as const;

/**
 * A length is known without reading the body. OFFSET 0 keeps the look-up of each event by itself,
 * in the order of the queue: joined, the planner reads the whole table where it is small or its
 * statistics are old. The constant limit tells the planner how little this is. By the parameter
 * alone it would plan each call again.
 */
const DUE = statement({
  text: `
    SELECT id, "eventId", body, traceparent, attempts, tries, "ageSeconds" FROM (
      SELECT q.delivery_id AS id, q.event_id AS "eventId", e.body, e.traceparent, q.attempts, q.tries, q.due_at, octet_length(e.body) AS own,
        sum(octet_length(e.body)) OVER (ORDER BY q.due_at, q.delivery_id ROWS UNBOUNDED PRECEDING) AS bytes,
        extract(epoch FROM statement_timestamp() - e.created_at)::float AS "ageSeconds"
      FROM (
        SELECT * FROM (${firstSendable('$storeId', '$subscriptionId', String(MAX_LIMIT), `${IS_DUE} AND q.delivery_id <> ALL ($taken)`)}) first LIMIT $limit
      ) q CROSS JOIN LATERAL (SELECT body, traceparent, created_at FROM events WHERE store_id = $storeId AND id = q.event_id OFFSET 0) e
    ) d WHERE bytes <= ${MAX_BODY_BYTES} OR bytes = own ORDER BY due_at, id`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid', limit: 'int8', taken: 'uuid[]' },
  row: DELIVERY,
});

const FIRST = statement({
  text: `
    SELECT q.delivery_id AS id, q.event_id AS "eventId", e.body, e.traceparent, q.attempts, q.tries,
      extract(epoch FROM statement_timestamp() - e.created_at)::float AS "ageSeconds"
    FROM (${firstSendable('$storeId', '$subscriptionId', '1')}) q JOIN events e ON e.store_id = $storeId AND e.id = q.event_id`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid' },
  row: DELIVERY,
});

const NEXT_DUE = statement({
  text: `
    SELECT greatest(0, extract(epoch FROM due_at - statement_timestamp()))::float AS seconds
    FROM (${firstSendable('$storeId', '$subscriptionId', '1')}) first`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid' },
  row: { seconds: 'float8' },
});

interface DueParameters extends SubscriptionKey {
  readonly limit: number;
  readonly taken: readonly string[];
}

export const due = async (sql: Sql, bodies: SharedBodies, parameters: DueParameters): Promise<DueDelivery[]> => {
  const rows = await sql.rows(DUE, parameters);
  for (const row of rows) row.body = bodies.of(storeKey(parameters.storeId, row.eventId), row.body);
  return rows;
};

export const first = async (sql: Sql, { storeId, subscriptionId }: SubscriptionKey): Promise<DueDelivery | null> =>
  (await sql.rows(FIRST, { storeId, subscriptionId }))[0] ?? null;

export const nextDueSeconds = async (sql: Sql, subscription: SubscriptionKey): Promise<number | null> =>
  (await sql.rows(NEXT_DUE, subscription))[0]?.seconds ?? null;
