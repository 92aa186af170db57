import { statement } from '../../connection/statement.ts';
import { EPOCHS, FIRST_CURSORS, traced } from './event-feed-statements.ts';

/** More than any caller takes. */
const MAX_TAKE = 250;

/** Halves the positions between `low` and `high` until they meet at the last one with `isEarly`. */
const halving = (name: string, begin: string, isEarly: string): string => `${name}(low, high) AS (
      SELECT ${begin} FROM ends
      UNION ALL
      SELECT CASE WHEN ${isEarly} THEN m.middle ELSE s.low END, CASE WHEN ${isEarly} THEN s.high ELSE m.middle - 1 END
      FROM ${name} s CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS middle) m
        JOIN feed f ON f.store_id = $storeId AND f.position = m.middle
        CROSS JOIN LATERAL (SELECT created_at FROM events WHERE store_id = $storeId AND id = f.event_id OFFSET 0) e
      WHERE s.low < s.high
    )`;

const found = (name: string, otherwise: string): string => `coalesce((SELECT low FROM ${name} WHERE low = high), ${otherwise})`;

/**
 * The positions between which the events of a time are: behind `low`, up to `high`. placed_at rises
 * with them and is never before the time of the event. The time of an event is that of its writing, so
 * it falls behind its neighbours' by no more than its transaction took: a minute is for this.
 */
export const BOUNDS = statement({
  text: `
    WITH RECURSIVE ends AS MATERIALIZED (
      SELECT coalesce(h.head, 0) AS head, coalesce(h.tail, 0) AS tail, ${FIRST_CURSORS} AS first FROM stores st LEFT JOIN feed_heads h ON h.store_id = st.id WHERE st.id = $storeId
    ), ${halving('early', 'tail, CASE WHEN $since::timestamptz IS NULL THEN tail ELSE head END', 'f.placed_at < $since')},
    ${halving('late', 'CASE WHEN $until::timestamptz IS NULL THEN head ELSE tail END, head', `e.created_at < $until::timestamptz + interval '1 minute'`)}
    SELECT ${found('early', 'tail')} AS low, ${found('late', 'head')} AS high, head, tail, first AS "firstCursors", ${EPOCHS} AS epochs FROM ends`,
  parameters: { storeId: 'uuid', since: 'timestamptz?', until: 'timestamptz?' },
  row: { low: 'int8', high: 'int8', head: 'int8', tail: 'int8', firstCursors: 'int8?', epochs: 'text?' },
});

/** The merchant's newest events of the types with all their data, the newest first. */
export const LATEST = statement({
  text: `
    SELECT l.body FROM stores st LEFT JOIN LATERAL (
      SELECT n.position, n.body, sum(octet_length(n.body)) OVER (ORDER BY n.position DESC ROWS UNBOUNDED PRECEDING) AS bytes FROM (
        SELECT f.position, coalesce(e.whole_body, e.body) AS body
        FROM (SELECT position, event_id, placed_at FROM feed WHERE store_id = $storeId ORDER BY position DESC LIMIT $passed) f
          CROSS JOIN LATERAL (SELECT * FROM events WHERE store_id = $storeId AND id = f.event_id OFFSET 0) e
        WHERE ($types::text[] IS NULL OR e.type = ANY ($types)) AND f.placed_at >= statement_timestamp() - make_interval(days => $days)
        ORDER BY f.position DESC LIMIT $count
      ) n
    ) l ON l.bytes <= $room
    WHERE st.id = $storeId ORDER BY l.position DESC`,
  parameters: { storeId: 'uuid', types: 'text[]?', count: 'int8', passed: 'int8', days: 'int4', room: 'int8' },
  row: { body: 'text?' },
});

const IS_ASKED_FOR = `($types::text[] IS NULL OR e.type = ANY ($types))
        AND ($since::timestamptz IS NULL OR e.created_at >= $since) AND ($until::timestamptz IS NULL OR e.created_at < $until)`;

/** A page of the events `e` at places `f`, the newest first. */
const page = (from: string): string => `
    WITH matching AS (
      SELECT f.position, e.body, e.traceparent, octet_length(e.body) AS own FROM ${from}
      ORDER BY f.position DESC LIMIT ${MAX_TAKE}
    ), page AS (
      SELECT position, body, traceparent, own, sum(own) OVER (ORDER BY position DESC ROWS UNBOUNDED PRECEDING) AS bytes, count(*) OVER () AS found
      FROM (SELECT * FROM matching LIMIT $take) m
    )
    SELECT position, ${traced('body', 'traceparent')} AS body, found, own FROM page WHERE bytes <= $room OR bytes = own ORDER BY position DESC`;

const PARAMETERS = {
  storeId: 'uuid',
  types: 'text[]?',
  since: 'timestamptz?',
  until: 'timestamptz?',
  before: 'int8',
  low: 'int8',
  take: 'int8',
  room: 'int8',
} as const;
const ROW = { position: 'int8', body: 'text', found: 'int8', own: 'int4' } as const;

/** Reads the positions from `low` to before `before`, the newest first. See READ for OFFSET 0. */
export const WALK = statement({
  text: page(`(
        SELECT position, event_id FROM feed WHERE store_id = $storeId AND position < $before AND position >= $low ORDER BY position DESC
      ) f CROSS JOIN LATERAL (SELECT * FROM events WHERE store_id = $storeId AND id = f.event_id OFFSET 0) e
      WHERE ${IS_ASKED_FOR}`),
  parameters: PARAMETERS,
  row: ROW,
});

/** Reads all events about the resource, by their index, and sorts them: they are few beside the others. */
export const OF_RESOURCE = statement({
  text: page(`events e
        CROSS JOIN LATERAL (SELECT position FROM feed WHERE store_id = $storeId AND event_id = e.id OFFSET 0) f
      WHERE e.store_id = $storeId AND e.resource_id = $resourceId AND f.position < $before AND f.position >= $low AND ${IS_ASKED_FOR}`),
  parameters: { ...PARAMETERS, resourceId: 'text' },
  row: ROW,
});
