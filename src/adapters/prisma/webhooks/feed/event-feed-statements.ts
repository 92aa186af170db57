import { statement } from '../../connection/statement.ts';
import { isOfOneApp } from './audience.ts';

/** The positions that one page passes at most, so that a filter that nothing fits ends soon. */
export const MAX_PASSED = 2_000;
/** More than any caller takes. */
export const MAX_FEED_TAKE = 250;
export const MAX_BODY_BYTES = 4_194_304;

/**
 * Whether the reader may see event `e` (delivery-matching.ts, mayReceive). Of a merchant, the
 * installation is null. `since` is SQL for the installation's time.
 */
export const maySee = (since: string): string => `($types::text[] IS NULL OR e.type = ANY ($types))
  AND ($installationId::uuid IS NULL OR NOT ${isOfOneApp('e.type')} OR coalesce(e.origin_installation_id = $installationId, true))
  AND (${since} IS NULL OR e.created_at >= ${since})`;

/** The trace of event `e` as far as the reader may know it: an app knows that of its own requests (domain/trace.ts). */
export const SHARED_TRACE = `CASE WHEN $installationId::uuid IS NULL OR e.origin_installation_id = $installationId THEN e.traceparent END`;

/** A body as the feed shows it: with the trace of its event. */
export const traced = (body: string, traceparent: string): string =>
  `CASE WHEN ${traceparent} IS NULL THEN ${body} ELSE left(${body}, -1) || ',"traceparent":' || to_json(${traceparent})::text || '}' END`;

/**
 * The store and, where an app reads, its installation. No row where one does not exist. A merchant's has an id that no
 * installation has: of a table that is compared with null, a Citus does not see that it belongs to the store.
 */
export const READER = `stores st LEFT JOIN installations i
  ON i.id = coalesce($installationId::uuid, '00000000-0000-0000-0000-000000000000') AND i.store_id = st.id
  WHERE st.id = $storeId AND ($installationId::uuid IS NULL OR i.id IS NOT NULL)`;

/** The epochs of the store's feed in their order, as JSON: pairs of an id and the position after which it began. */
export const EPOCHS = `(SELECT json_agg(json_build_array(x.epoch, x.began) ORDER BY x.began) FROM feed_epochs x WHERE x.store_id = $storeId)::text`;

/** Of feed `h`: the last position of a cursor of the first version; null while they are given out. */
export const FIRST_CURSORS =
  '(SELECT CASE WHEN g.sealed_cursors THEN coalesce(h.first_cursors, 0) END FROM schema_generation g WHERE g.id = 1)';

/**
 * Where a page begins. Positions have no gaps and placed_at rises with them, so the first event since a time is found by halving. Until
 * then it has the installation of the reader, and the ends of the feed.
 */
export const START = `reader AS MATERIALIZED (
      SELECT greatest(i.created_at, $since::timestamptz) AS since, coalesce(h.head, 0) AS head, coalesce(h.tail, 0) AS tail, ${FIRST_CURSORS} AS first
      FROM (SELECT) one LEFT JOIN feed_heads h ON h.store_id = $storeId, ${READER}
    ), search(low, high) AS (
      SELECT tail, CASE WHEN since IS NULL THEN tail ELSE head END FROM reader
      UNION ALL
      SELECT CASE WHEN f.placed_at < r.since THEN m.middle ELSE s.low END, CASE WHEN f.placed_at < r.since THEN s.high ELSE m.middle - 1 END
      FROM search s CROSS JOIN reader r CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS middle) m
        JOIN feed f ON f.store_id = $storeId AND f.position = m.middle
      WHERE s.low < s.high
    ), start AS MATERIALIZED (
      SELECT head, tail, first, since, coalesce($after::bigint, (SELECT low FROM search WHERE low = high)) AS position FROM reader
    )`;

/**
 * The first row has the ends of the feed, also where no event follows.
 *
 * OFFSET 0 keeps the look-up of each event by itself, in the order of the feed, and the constant
 * limit tells the planner how few there are (delivery-due.ts). A length is known without reading
 * the body. The epochs are in the first row alone, since there may be many rows.
 */
export const READ = statement({
  text: `
    WITH RECURSIVE ${START}, matching AS (
      SELECT f.position, e.body, ${SHARED_TRACE} AS traceparent, octet_length(e.body) AS own
      FROM (
        SELECT position, event_id FROM feed
        WHERE store_id = $storeId AND position > (SELECT position FROM start) AND position <= (SELECT position FROM start) + ${MAX_PASSED}
        ORDER BY position
      ) f CROSS JOIN LATERAL (SELECT * FROM events WHERE store_id = $storeId AND id = f.event_id OFFSET 0) e
      WHERE ${maySee('(SELECT since FROM start)')} AND ($resourceId::text IS NULL OR e.resource_id = $resourceId)
        AND ($until::timestamptz IS NULL OR e.created_at < $until)
      ORDER BY f.position LIMIT ${MAX_FEED_TAKE}
    ), page AS (
      SELECT position, body, traceparent, own, sum(own) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS bytes, count(*) OVER () AS found
      FROM (SELECT * FROM matching LIMIT $take) m
    )
    SELECT s.head, s.tail, s.first AS "firstCursors", s.position AS after, p.position, ${traced('p.body', 'p.traceparent')} AS body, p.found,
      CASE WHEN row_number() OVER (ORDER BY p.position) = 1 THEN ${EPOCHS} END AS epochs
    FROM start s LEFT JOIN page p ON p.bytes <= ${MAX_BODY_BYTES} OR p.bytes = p.own ORDER BY p.position`,
  parameters: {
    storeId: 'uuid',
    installationId: 'uuid?',
    types: 'text[]?',
    after: 'int8?',
    take: 'int8',
    resourceId: 'text?',
    since: 'timestamptz?',
    until: 'timestamptz?',
  },
  row: {
    head: 'int8',
    tail: 'int8',
    firstCursors: 'int8?',
    after: 'int8',
    position: 'int8?',
    body: 'text?',
    found: 'int8?',
    epochs: 'text?',
  },
});

export const NEWEST = statement({
  text: `SELECT coalesce(h.head, 0) AS head, ${FIRST_CURSORS} AS "firstCursors", ${EPOCHS} AS epochs FROM stores st LEFT JOIN feed_heads h ON h.store_id = st.id WHERE st.id = $storeId`,
  parameters: { storeId: 'uuid' },
  row: { head: 'int8', firstCursors: 'int8?', epochs: 'text?' },
});

export const GET_FEED = statement({
  text: `
    SELECT ${traced('coalesce(e.whole_body, e.body)', SHARED_TRACE)} AS body, e.resource_id AS "resourceId",
      e.origin_installation_id AS origin, e.request_id AS "requestId"
    FROM events e, ${READER} AND e.store_id = $storeId AND e.id = $eventId AND ${maySee('i.created_at')}
      AND ($installationId::uuid IS NULL OR EXISTS (SELECT FROM feed f WHERE f.store_id = $storeId AND f.event_id = $eventId))`,
  parameters: { storeId: 'uuid', installationId: 'uuid?', types: 'text[]?', eventId: 'uuid' },
  row: { body: 'text', resourceId: 'text?', origin: 'uuid?', requestId: 'uuid?' },
});

const IS_OLD = 'placed_at < statement_timestamp() - make_interval(days => $days)';

/** The stores whose oldest event is due. */
export const STORES_TO_PURGE = statement({
  text: `
    SELECT h.store_id AS "storeId" FROM feed_heads h JOIN feed f ON f.store_id = h.store_id AND f.position = h.tail + 1
    WHERE f.${IS_OLD} ORDER BY h.store_id LIMIT $limit`,
  parameters: { days: 'int4', limit: 'int8' },
  row: { storeId: 'uuid' },
});

/**
 * The oldest events of one store. The lock keeps two purges from it, and its fan-outs wait for no more
 * than this statement. An epoch goes with its last event.
 */
export const PURGE_FEEDS = statement({
  text: `
    WITH due AS (
      SELECT tail FROM feed_heads WHERE store_id = $storeId FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM feed f USING due d CROSS JOIN LATERAL (
        SELECT position, placed_at FROM feed WHERE store_id = $storeId AND position > d.tail ORDER BY position LIMIT $limit
      ) o WHERE o.${IS_OLD} AND f.store_id = $storeId AND f.position = o.position
      RETURNING f.position
    ), moved AS (
      UPDATE feed_heads h SET tail = g.position FROM (SELECT max(position) AS position FROM gone) g
      WHERE h.store_id = $storeId AND g.position IS NOT NULL
      RETURNING h.tail
    ), forgotten AS (
      DELETE FROM feed_epochs x USING moved m WHERE x.store_id = $storeId
        AND EXISTS (SELECT FROM feed_epochs n WHERE n.store_id = $storeId AND n.began > x.began AND n.began <= m.tail)
    )
    SELECT count(*)::int AS n FROM gone`,
  parameters: { storeId: 'uuid', days: 'int4', limit: 'int8' },
  row: { n: 'int4' },
});
