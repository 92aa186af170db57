import { FORGOTTEN_SECONDS } from '../../../domain/insight/invariants.ts';
import type { InvariantName } from '../../../domain/insight/invariants.ts';
import { statement } from '../connection/statement.ts';
import { IS_HELD, IS_SERVED, SUBSCRIPTIONS } from './delivery-matching.ts';

/** `rows` is SQL for at most $limit rows of an id and whether it violates the invariant. */
const counting = (rows: string) => `
  SELECT count(*)::int AS counted, count(*) FILTER (WHERE is_wrong)::int AS violated,
    coalesce((array_agg(id) FILTER (WHERE is_wrong))[1:5], '{}') AS examples
  FROM (${rows}) AS checked(id, is_wrong)`;

const COUNTED = {
  parameters: { limit: 'int8' },
  row: { counted: 'int4', violated: 'int4', examples: 'uuid[]' },
} as const;

const LONG_AGO = `statement_timestamp() - interval '${String(FORGOTTEN_SECONDS)} seconds'`;

/** The newest positions of a store that its check reads. */
const POSITIONS = '1000';

/** One statement each, which sees one moment: work is written with what belongs to it. */
export const CHECKS = {
  // What was purged has no place. An event that is newer than the oldest place was not purged; a minute is for the clock.
  events_placed: statement({
    text: counting(`
    SELECT e.id, (f.event_id IS NULL) <> (p.event_id IS NOT NULL)
    FROM (SELECT store_id, id, created_at FROM events WHERE type <> 'ping' ORDER BY created_at DESC LIMIT $limit) e
      LEFT JOIN feed_heads h ON h.store_id = e.store_id
      LEFT JOIN feed oldest ON oldest.store_id = h.store_id AND oldest.position = h.tail + 1
      LEFT JOIN feed f ON f.store_id = e.store_id AND f.event_id = e.id
      LEFT JOIN pending_events p ON p.store_id = e.store_id AND p.event_id = e.id
    WHERE coalesce(h.tail, 0) = 0 OR e.created_at > oldest.placed_at + interval '1 minute'`),
    ...COUNTED,
  }),
  feed_without_gaps: statement({
    text: counting(`
    SELECT h.store_id, (SELECT count(*) FROM feed f WHERE f.store_id = h.store_id AND f.position > h.low) <> h.head - h.low
    FROM (SELECT store_id, head, greatest(tail, head - ${POSITIONS}) AS low FROM feed_heads ORDER BY store_id DESC LIMIT $limit) h`),
    ...COUNTED,
  }),
  pending_queued: statement({
    text: counting(`
    SELECT d.id, (d.status = 'Pending') <> (q.delivery_id IS NOT NULL)
    FROM (SELECT id, status FROM deliveries ORDER BY id DESC LIMIT $limit) d LEFT JOIN delivery_queue q ON q.delivery_id = d.id`),
    ...COUNTED,
  }),
  queue_pending: statement({
    text: counting(`
    SELECT q.delivery_id, d.id IS NULL OR e.id IS NULL OR d.status <> 'Pending' OR d.attempts <> q.attempts
    FROM (SELECT * FROM delivery_queue ORDER BY delivery_id DESC LIMIT $limit) q
      LEFT JOIN deliveries d ON d.id = q.delivery_id LEFT JOIN events e ON e.store_id = q.store_id AND e.id = q.event_id`),
    ...COUNTED,
  }),
  attempts_recorded: statement({
    text: counting(`
    SELECT d.id, d.attempts <> (SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = d.id)
    FROM (SELECT id, attempts FROM deliveries ORDER BY id DESC LIMIT $limit) d`),
    ...COUNTED,
  }),
  events_fanned_out: statement({
    text: counting(`
    SELECT p.event_id, coalesce(e.created_at < ${LONG_AGO}, true)
    FROM (SELECT store_id, event_id FROM pending_events LIMIT $limit) p
      LEFT JOIN events e ON e.store_id = p.store_id AND e.id = p.event_id`),
    ...COUNTED,
  }),
  // What was held, or behind a breaker, is due since the change that let it go.
  deliveries_served: statement({
    text: counting(`
    SELECT q.delivery_id, s.is_active AND NOT ${IS_HELD} AND NOT ${IS_SERVED}
      AND greatest(q.due_at, s.probe_at, s.updated_at, st.updated_at, i.updated_at) < ${LONG_AGO}
    FROM ${SUBSCRIPTIONS} JOIN (SELECT * FROM delivery_queue LIMIT $limit) q ON q.subscription_id = s.id`),
    ...COUNTED,
  }),
} satisfies Record<InvariantName, object>;
