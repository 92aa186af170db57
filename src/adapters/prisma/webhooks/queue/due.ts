import type { DueDelivery } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import type { SubscriptionKey } from '../../../../domain/webhooks/subscription.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { firstSendable, IS_DUE, isNext } from './queue-row.ts';
import type { SharedBodies } from './shared-bodies.ts';

const MAX_BODY_BYTES = 1_048_576;

/** More than any caller asks for. */
const MAX_LIMIT = 100;

/** The column `body` of event `e`, or of the delivery of `q` that has gathered others. */
const BODY = `coalesce(CASE WHEN q.is_gathering IS NOT NULL THEN (
          SELECT d.body FROM deliveries d WHERE d.store_id = $storeId AND d.id = q.delivery_id) END, body) AS body`;

/** Since the event, or since the end of the window in which others joined it. */
const AGE = `CASE WHEN q.is_gathering IS NULL THEN extract(epoch FROM statement_timestamp() - e.created_at)
          ELSE greatest(0, extract(epoch FROM statement_timestamp() - q.due_at)) END::float`;

/** The delivery of the queued row `q`, whose event is `e`. */
const COLUMNS = `q.delivery_id AS id, q.event_id AS "eventId", e.body, e.traceparent, e.origin_installation_id AS origin, q.fields, q.include, CASE WHEN q.include IS NOT NULL THEN e.included END AS included, q.attempts, q.tries, q.position,
      NULL::uuid AS gap, q.is_gathering AS "isGathering", ${AGE} AS "ageSeconds"`;

const DELIVERY = {
  id: 'uuid',
  eventId: 'uuid',
  body: 'text',
  traceparent: 'text?',
  origin: 'uuid?',
  fields: 'text[]?',
  include: 'text[]?',
  included: 'text?',
  attempts: 'int4',
  tries: 'int4',
  position: 'int8?',
  gap: 'uuid?',
  isGathering: 'bool?',
  ageSeconds: 'float8',
} as const;

/** The event of `q`, with the body that is sent. */
const EVENT = `(SELECT ${BODY}, included, traceparent, origin_installation_id, created_at FROM events WHERE store_id = $storeId AND id = q.event_id OFFSET 0)`;

/** Bytes of the event of `q` and of what it includes. */
const SIZE = '(octet_length(e.body) + CASE WHEN q.include IS NULL THEN 0 ELSE coalesce(octet_length(e.included), 0) END)';

/**
 * A length is known without reading the body. OFFSET 0 keeps the look-up of each event by itself,
 * in the order of the queue: joined, the planner reads the whole table where it is small or its
 * statistics are old. The constant limit tells the planner how little this is. By the parameter
 * alone it would plan each call again.
 */
const DUE = statement({
  text: `
    SELECT id, "eventId", body, traceparent, origin, fields, include, included, attempts, tries, position, gap, "isGathering", "ageSeconds" FROM (
      SELECT ${COLUMNS}, q.due_at, ${SIZE} AS own,
        sum(${SIZE}) OVER (ORDER BY q.due_at, q.delivery_id ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (
        SELECT * FROM (${firstSendable('$storeId', '$subscriptionId', String(MAX_LIMIT), `${IS_DUE} AND q.delivery_id <> ALL ($taken) AND ${isNext('$storeId')}`)}) first LIMIT $limit
      ) q CROSS JOIN LATERAL ${EVENT} e
    ) d WHERE bytes <= ${MAX_BODY_BYTES} OR bytes = own ORDER BY due_at, id`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid', limit: 'int8', taken: 'uuid[]' },
  row: DELIVERY,
});

const FIRST = statement({
  text: `SELECT ${COLUMNS} FROM (${firstSendable('$storeId', '$subscriptionId', '1', isNext('$storeId'))}) q CROSS JOIN LATERAL ${EVENT} e`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid' },
  row: DELIVERY,
});

/** The events of a resource in which the delivery before one is looked for. */
const MAX_GAP_EVENTS = 1_000;

/**
 * In an order: the deliveries before these of their resources that were given up. A filter may have
 * kept any number of events between them, so no more than the latest are looked at.
 */
const GAPS = statement({
  text: `
    SELECT q.delivery_id AS id, l.event_id AS gap
    FROM delivery_queue q
      CROSS JOIN LATERAL (SELECT resource_id, created_at FROM events WHERE store_id = $storeId AND id = q.event_id OFFSET 0) e
      CROSS JOIN LATERAL (
        SELECT d.event_id, d.status FROM (
          SELECT id, created_at FROM events
          WHERE store_id = $storeId AND resource_id = e.resource_id AND created_at <= e.created_at
            AND created_at >= (SELECT created_at FROM subscriptions WHERE store_id = $storeId AND id = $subscriptionId)
          ORDER BY created_at DESC LIMIT ${MAX_GAP_EVENTS}
        ) b
          JOIN feed f ON f.store_id = $storeId AND f.event_id = b.id AND f.position < q.position
          JOIN deliveries d ON d.store_id = $storeId AND d.event_id = b.id AND d.subscription_id = $subscriptionId
        ORDER BY b.created_at DESC, f.position DESC LIMIT 1
      ) l
    WHERE q.store_id = $storeId AND q.delivery_id = ANY (ARRAY(SELECT unnest($ids::uuid[]))) AND l.status = 'Failed'`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid', ids: 'uuid[]' },
  row: { id: 'uuid', gap: 'uuid' },
});

/**
 * Nothing joins these from now on. Of a window that is not over, only where it is to end early. Locked in the order in which a
 * fan-out locks them.
 */
const CLOSE = statement({
  text: `
    UPDATE delivery_queue q SET is_gathering = false
    FROM (
      SELECT delivery_id FROM delivery_queue
      WHERE store_id = $storeId AND delivery_id = ANY ($ids) AND is_gathering AND ($early OR due_at <= statement_timestamp())
      ORDER BY delivery_id FOR UPDATE
    ) o WHERE q.store_id = $storeId AND q.delivery_id = o.delivery_id`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', early: 'bool' },
});

const NEXT_DUE = statement({
  text: `
    SELECT greatest(0, extract(epoch FROM due_at - statement_timestamp()))::float AS seconds
    FROM (${firstSendable('$storeId', '$subscriptionId', '1', isNext('$storeId'))}) first`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid' },
  row: { seconds: 'float8' },
});

interface DueParameters extends SubscriptionKey {
  readonly limit: number;
  readonly taken: readonly string[];
}

type DueRow = NonNullable<typeof DUE.row>;

/**
 * With the bodies that are sent and the gaps before them, in the same rows. New objects beside them would cost 9 us for each delivery:
 * V8 would copy 0.8 KB more to the old generation.
 */
const completed = async (
  sql: Sql,
  bodies: SharedBodies,
  { storeId, subscriptionId }: SubscriptionKey,
  rows: DueRow[],
): Promise<DueDelivery[]> => {
  for (const row of rows) {
    row.body = bodies.of(storeId, row.eventId, row.body, row);
    // The shared body has it: a copy in each row would wait with its delivery.
    row.included = null;
  }
  const ids = rows.filter(({ position }) => position !== null).map(({ id }) => id);
  if (ids.length === 0) return rows;
  const gaps = new Map((await sql.rows(GAPS, { storeId, subscriptionId, ids })).map(({ id, gap }) => [id, gap]));
  for (const row of rows) row.gap = gaps.get(row.id) ?? null;
  return rows;
};

/** The rows that `read` finds, none of whose windows is open. `early`: those that are not over end now. */
const closed = async (sql: Sql, storeId: string, early: boolean, read: () => Promise<DueRow[]>): Promise<DueRow[]> => {
  const rows = await read();
  const ids = rows.filter(({ isGathering }) => isGathering === true).map(({ id }) => id);
  if (ids.length === 0) return rows;
  await sql.execute(CLOSE, { storeId, ids, early });
  // A statement that sees what joined them while they were waited for.
  return (await read()).filter(({ isGathering }) => isGathering !== true);
};

export const due = async (sql: Sql, bodies: SharedBodies, parameters: DueParameters): Promise<DueDelivery[]> => {
  const rows = await closed(sql, parameters.storeId, false, () => sql.rows(DUE, parameters));
  return completed(sql, bodies, parameters, rows);
};

export const first = async (sql: Sql, bodies: SharedBodies, subscription: SubscriptionKey): Promise<DueDelivery | null> => {
  const { storeId, subscriptionId } = subscription;
  const rows = await closed(sql, storeId, true, () => sql.rows(FIRST, { storeId, subscriptionId }));
  return (await completed(sql, bodies, subscription, rows))[0] ?? null;
};

export const nextDueSeconds = async (sql: Sql, subscription: SubscriptionKey): Promise<number | null> =>
  (await sql.rows(NEXT_DUE, subscription))[0]?.seconds ?? null;
