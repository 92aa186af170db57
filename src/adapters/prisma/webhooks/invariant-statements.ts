import { FORGOTTEN_SECONDS, type InvariantName } from '../../../domain/insight/invariants.ts';
import { statement } from '../connection/statement.ts';
import { isEnding } from './delivery-ending-statements.ts';
import { IS_HELD, IS_SERVED, SUBSCRIPTIONS } from './delivery-matching.ts';
import { eachOf, isKept, MUST_BE_PLACED, WITH_PLACE } from './event-places.ts';

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

/** The oldest work of each store and subscription, so that one of them cannot hide another. */
const SHARE = '200';

const distinct = (table: string, column: string): string => `
      WITH RECURSIVE step(id) AS (
        (SELECT ${column} FROM ${table} ORDER BY ${column} LIMIT 1)
        UNION ALL
        SELECT (SELECT t.${column} FROM ${table} t WHERE t.${column} > s.id ORDER BY t.${column} LIMIT 1) FROM step s WHERE s.id IS NOT NULL
      ) SELECT id FROM step WHERE id IS NOT NULL`;

/** One statement each, which sees one moment: work is written with what belongs to it. */
export const CHECKS = {
  events_placed: statement({
    text: counting(`
    SELECT e.id, CASE WHEN ${MUST_BE_PLACED} THEN (f.event_id IS NULL) <> (p.event_id IS NOT NULL) END, false
    FROM (SELECT store_id, id, created_at FROM events WHERE type <> 'ping' AND ${isKept('events.store_id')} ORDER BY created_at DESC LIMIT $limit) e
      ${WITH_PLACE}`),
    ...COUNTED,
  }),
  feed_without_gaps: statement({
    text: counting(`
    SELECT h.store_id, (SELECT count(*) FROM feed f WHERE f.store_id = h.store_id AND f.position > h.low) <> h.head - h.low, h.low > h.tail
    FROM (SELECT store_id, head, tail, greatest(tail, head - ${POSITIONS}) AS low FROM feed_heads
      WHERE ${isKept('feed_heads.store_id')} ORDER BY store_id DESC LIMIT $limit) h`),
    ...COUNTED,
  }),
  pending_queued: statement({
    text: counting(`
    SELECT d.id, (d.status = 'Pending') <> (q.delivery_id IS NOT NULL), false
    FROM (SELECT id, status FROM deliveries WHERE ${isKept('deliveries.store_id')} ORDER BY id DESC LIMIT $limit) d
      LEFT JOIN ${eachOf('delivery_queue', 'delivery_id', 'delivery_id = d.id')} q ON true`),
    ...COUNTED,
  }),
  queue_pending: statement({
    text: counting(`
    SELECT q.delivery_id, d.id IS NULL OR e.id IS NULL OR d.status <> 'Pending' OR d.attempts <> q.attempts, false
    FROM (SELECT * FROM delivery_queue WHERE ${isKept('delivery_queue.store_id')} ORDER BY delivery_id DESC LIMIT $limit) q
      LEFT JOIN ${eachOf('deliveries', 'id, status, attempts', 'id = q.delivery_id')} d ON true
      LEFT JOIN ${eachOf('events', 'id', 'store_id = q.store_id AND id = q.event_id')} e ON true`),
    ...COUNTED,
  }),
  attempts_recorded: statement({
    text: counting(`
    SELECT d.id, d.attempts <> (SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = d.id), false
    FROM (SELECT id, attempts FROM deliveries WHERE ${isKept('deliveries.store_id')} ORDER BY id DESC LIMIT $limit) d`),
    ...COUNTED,
  }),
  events_fanned_out: statement({
    text: counting(`
    SELECT p.event_id, coalesce(e.created_at < ${LONG_AGO}, true), p.n = ${SHARE}
    FROM (
      SELECT o.* FROM (${distinct('pending_events', 'store_id')}) s CROSS JOIN LATERAL (
        SELECT store_id, event_id, seq, row_number() OVER (ORDER BY seq) AS n FROM pending_events WHERE store_id = s.id ORDER BY seq LIMIT ${SHARE}
      ) o WHERE ${isKept('o.store_id')} ORDER BY o.seq LIMIT $limit
    ) p LEFT JOIN ${eachOf('events', 'created_at', 'store_id = p.store_id AND id = p.event_id')} e ON true`),
    ...COUNTED,
  }),
  // A key is free when nothing holds its row: a retry then runs. Only a transaction that does not end keeps one in progress.
  keys_have_runners: statement({
    text: counting(`
    SELECT r.installation_id || '/' || r.key, coalesce(a.xact_start < statement_timestamp() - make_interval(secs => $requestSeconds), false), false
    FROM (SELECT installation_id, key, xmax AS holder FROM idempotency_records WHERE finished_at IS NULL ORDER BY created_at LIMIT $limit) r
      LEFT JOIN pg_stat_activity a ON a.backend_xid = r.holder AND a.datname = current_database()`),
    parameters: { ...COUNTED.parameters, requestSeconds: 'float8' },
    row: COUNTED.row,
  }),
  // What was held, or behind a breaker, is due since the change that let it go.
  deliveries_served: statement({
    text: counting(`
    SELECT q.delivery_id, NOT ${IS_SERVED} AND greatest(q.due_at, s.probe_at, s.updated_at, st.updated_at, i.updated_at) < ${LONG_AGO}, q.n = ${SHARE}
    FROM (
      SELECT s.id AS subscription, o.* FROM (${distinct('delivery_queue', 'subscription_id')}) x
        JOIN (${SUBSCRIPTIONS}) ON s.id = x.id AND s.is_active AND NOT ${IS_HELD} AND NOT ${isEnding('s.id')}
        CROSS JOIN LATERAL (
          SELECT delivery_id, due_at, row_number() OVER (ORDER BY due_at, delivery_id) AS n FROM delivery_queue
          WHERE subscription_id = x.id ORDER BY due_at, delivery_id LIMIT ${SHARE}
        ) o ORDER BY o.due_at LIMIT $limit
    ) q JOIN (${SUBSCRIPTIONS}) ON s.id = q.subscription`),
    ...COUNTED,
  }),
} satisfies Record<InvariantName, object>;
