import { FORGOTTEN_SECONDS, type InvariantName } from '../../../domain/insight/invariants.ts';
import type { Invariants } from '../../../domain/ports/insight/invariants.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { chained } from '../work/audit-chain.ts';
import { eachOf, isKept, MUST_BE_PLACED, withPlace } from './feed/event-places.ts';
import { isEnding, isNext } from './queue/queue-row.ts';
import { IS_HELD_OR_PAUSED, IS_SERVED, SUBSCRIPTIONS } from './subscriptions/receivers.ts';

/**
 * `rows` is SQL for at most $limit rows of an id, whether it violates the invariant (null: it is not
 * judged), and whether there is more of it than was looked at.
 */
const counting = (rows: string) => `
  SELECT count(is_wrong)::int AS counted, count(*) FILTER (WHERE is_wrong)::int AS violated,
    count(*) >= $limit OR coalesce(bool_or(is_part), false) AS "isSample",
    coalesce((array_agg(id::text) FILTER (WHERE is_wrong))[1:5], '{}') AS examples
  FROM (${rows}) AS checked(id, is_wrong, is_part)`;

const COUNTED = {
  parameters: { limit: 'int8' },
  row: { counted: 'int4', violated: 'int4', isSample: 'bool', examples: 'text[]' },
} as const;

const LONG_AGO = `statement_timestamp() - interval '${String(FORGOTTEN_SECONDS)} seconds'`;

/** The newest positions of a store that its check reads. */
const POSITIONS = '1000';

/** The position of head `h` behind which they are. */
const LOW = `greatest(h.tail, h.head - ${POSITIONS})`;

/** The newest entries of the audit log of a store that their check reads. */
const ENTRIES = '1000';

/** The newest of a store's queued deliveries that their check reads. */
const QUEUED = '1000';

/** The oldest work of each store and subscription, so that one of them cannot hide another. */
const SHARE = '200';

/** The deliveries `d` of events `e`, the newest first: no index has the deliveries of all stores in an order. */
const DELIVERIES = `events e LEFT JOIN ${eachOf('deliveries', 'id, status, attempts', 'store_id = e.store_id AND event_id = e.id')} d ON true`;
const NEWEST = `${isKept('e.store_id')} ORDER BY e.created_at DESC LIMIT $limit`;

/** For all stores: what is wrong is looked for where it is not expected. One statement each, which sees one moment: work is written with what belongs to it. */
const INVARIANT_CHECKS = {
  events_placed: statement({
    text: counting(`
    SELECT e.id, CASE WHEN ${MUST_BE_PLACED} THEN (f.event_id IS NULL) <> (p.event_id IS NOT NULL) END, false
    FROM events e ${withPlace('e.store_id')} WHERE e.type <> 'ping' AND ${NEWEST}`),
    ...COUNTED,
  }),
  feed_without_gaps: statement({
    text: counting(`
    SELECT h.store_id, (SELECT count(*) FROM feed f WHERE f.store_id = h.store_id AND f.position > ${LOW}) <> h.head - ${LOW}, ${LOW} > h.tail
    FROM feed_heads h WHERE ${isKept('h.store_id')} ORDER BY h.store_id DESC LIMIT $limit`),
    ...COUNTED,
  }),
  pending_queued: statement({
    text: counting(`
    SELECT d.id, (d.status = 'Pending') <> (q.delivery_id IS NOT NULL), false
    FROM ${DELIVERIES}
      LEFT JOIN ${eachOf('delivery_queue', 'delivery_id', 'store_id = e.store_id AND delivery_id = d.id')} q ON true WHERE ${NEWEST}`),
    ...COUNTED,
  }),
  queue_pending: statement({
    text: counting(`
    SELECT q.delivery_id, d.id IS NULL OR e.id IS NULL OR d.status <> 'Pending' OR d.attempts <> q.attempts, q.n = ${QUEUED}
    FROM stores s CROSS JOIN LATERAL (
        SELECT *, row_number() OVER (ORDER BY delivery_id DESC) AS n FROM delivery_queue WHERE store_id = s.id ORDER BY delivery_id DESC LIMIT ${QUEUED}
      ) q LEFT JOIN ${eachOf('deliveries', 'id, status, attempts', 'store_id = s.id AND id = q.delivery_id')} d ON true
      LEFT JOIN ${eachOf('events', 'id', 'store_id = s.id AND id = q.event_id')} e ON true
    WHERE ${isKept('s.id')} LIMIT $limit`),
    ...COUNTED,
  }),
  attempts_recorded: statement({
    text: counting(`
    SELECT d.id, d.attempts <> (SELECT count(*) FROM delivery_attempts a WHERE a.store_id = e.store_id AND a.delivery_id = d.id), false
    FROM ${DELIVERIES} WHERE ${NEWEST}`),
    ...COUNTED,
  }),
  events_fanned_out: statement({
    text: counting(`
    SELECT p.event_id, coalesce(e.created_at < ${LONG_AGO}, true), p.n = ${SHARE}
    FROM stores s CROSS JOIN LATERAL (
        SELECT event_id, seq, row_number() OVER (ORDER BY seq) AS n FROM pending_events WHERE store_id = s.id ORDER BY seq LIMIT ${SHARE}
      ) p LEFT JOIN ${eachOf('events', 'created_at', 'store_id = s.id AND id = p.event_id')} e ON true
    WHERE ${isKept('s.id')} ORDER BY p.seq LIMIT $limit`),
    ...COUNTED,
  }),
  // A key is free when nothing holds its row: a retry then runs. Only a transaction that does not end keeps one in progress.
  keys_have_runners: statement({
    text: counting(`
    SELECT id, coalesce(since < statement_timestamp() - make_interval(secs => $requestSeconds), false), false
    FROM (
      SELECT installation_id || '/' || key AS id, transaction_started(xmax) AS since, created_at FROM idempotency_records WHERE finished_at IS NULL
      UNION ALL SELECT store_id || '/' || key, transaction_started(xmax), created_at FROM merchant_keys WHERE finished_at IS NULL ORDER BY created_at LIMIT $limit
    ) k`),
    parameters: { ...COUNTED.parameters, requestSeconds: 'float8' },
    row: COUNTED.row,
  }),
  // Deliveries that were on hold, or behind a circuit breaker, are due since the change that released them.
  deliveries_served: statement({
    text: counting(`
    SELECT s.delivery_id, s.is_late AND NOT ${IS_SERVED}, s.n = ${SHARE}
    FROM (
      SELECT s.id, q.delivery_id, q.n, greatest(q.due_at, s.probe_at, s.updated_at, st.updated_at, i.updated_at) < ${LONG_AGO} AS is_late
      FROM ${SUBSCRIPTIONS} CROSS JOIN LATERAL (
        SELECT delivery_id, due_at, row_number() OVER (ORDER BY due_at, delivery_id) AS n FROM delivery_queue q
        WHERE store_id = s.store_id AND subscription_id = s.id AND ${isNext('s.store_id')} ORDER BY due_at, delivery_id LIMIT ${SHARE}
      ) q WHERE s.is_active AND NOT ${IS_HELD_OR_PAUSED} AND NOT ${isEnding('s.store_id', 's.id')} ORDER BY q.due_at LIMIT $limit
    ) s`),
    ...COUNTED,
  }),
  // The entry before the first one that is read may be purged, so the hash of that one is not judged.
  audit_chained: statement({
    text: counting(`
    SELECT store_id || '/' || number,
      (before IS NOT NULL OR number = 1) AND hash <> ${chained("coalesce(previous, '\\x'::bytea)", (column) => (column === 'at' || column === 'content' ? column : `${column}::text`))}
        OR coalesce(before <> number - 1, false) OR (n = 1 AND (number, hash) IS DISTINCT FROM (head_number, head_hash)),
      n = ${ENTRIES}
    FROM (
      SELECT a.*, h.number AS head_number, h.hash AS head_hash, lag(a.hash) OVER w AS previous, lag(a.number) OVER w AS before,
        row_number() OVER (PARTITION BY a.store_id ORDER BY a.number DESC) AS n
      FROM audit_heads h CROSS JOIN LATERAL (
        SELECT * FROM audit_log WHERE store_id = h.store_id ORDER BY number DESC LIMIT ${ENTRIES}
      ) a WHERE ${isKept('h.store_id')} WINDOW w AS (PARTITION BY a.store_id ORDER BY a.number)
    ) o LIMIT $limit`),
    ...COUNTED,
  }),
} satisfies Record<InvariantName, object>;

/** `requestSeconds`: longer than any request with an idempotency key may take. */
export const invariants = (database: Pick<Database, 'transaction'>, requestSeconds: number = FORGOTTEN_SECONDS): Invariants => ({
  check: async (name, limit, timeoutMs) => {
    try {
      const options = { statementTimeoutMs: timeoutMs, planEachTime: true };
      const [row] = await database.transaction(
        (sql) =>
          name === 'keys_have_runners'
            ? sql.rows(INVARIANT_CHECKS[name], { limit, requestSeconds })
            : sql.rows(INVARIANT_CHECKS[name], { limit }),
        options,
      );
      return row ?? null;
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    }
  },
});
