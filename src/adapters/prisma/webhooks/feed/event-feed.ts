import type { EventFeed } from '../../../../domain/ports/webhooks/event-feed.ts';
import { placeIn } from '../../../../domain/webhooks/feed-place.ts';
import type { Database } from '../../connection/database.ts';
import { statement } from '../../connection/statement.ts';
import { EPOCHS, FIRST_CURSORS, marksOf, maySee, READER, SHARED_TRACE, traced } from './feed-columns.ts';
import { readPage } from './feed-page.ts';
import { latestEvents, newestEvents } from './newest-events.ts';

const NEWEST = statement({
  text: `SELECT coalesce(h.head, 0) AS head, ${FIRST_CURSORS} AS "firstCursors", ${EPOCHS} AS epochs FROM stores st LEFT JOIN feed_heads h ON h.store_id = st.id WHERE st.id = $storeId`,
  parameters: { storeId: 'uuid' },
  row: { head: 'int8', firstCursors: 'int8?', epochs: 'text?' },
});

const GET_FEED = statement({
  text: `
    SELECT ${traced('coalesce(e.whole_body, e.body)', SHARED_TRACE)} AS body, e.resource_id AS "resourceId",
      e.origin_installation_id AS origin, e.request_id AS "requestId"
    FROM events e, ${READER} AND e.store_id = $storeId AND e.id = $eventId AND ${maySee('i.created_at')}
      AND ($installationId::uuid IS NULL OR EXISTS (SELECT FROM feed f WHERE f.store_id = $storeId AND f.event_id = $eventId))`,
  parameters: { storeId: 'uuid', installationId: 'uuid?', types: 'text[]?', eventId: 'uuid' },
  row: { body: 'text', resourceId: 'text?', origin: 'uuid?', requestId: 'uuid?' },
});

const IS_OLD = 'placed_at < statement_timestamp() - make_interval(days => $days)';

const STORES_TO_PURGE = statement({
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
const PURGE_FEEDS = statement({
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

export const eventFeed = (database: Database): EventFeed => ({
  read: (query) => readPage(database, query),
  readNewest: (query) => newestEvents(database, query),
  latest: (reader, count, days) => latestEvents(database, reader, count, days),
  newest: async (storeId) => {
    const [row] = await database.rows(NEWEST, { storeId });
    return row ? placeIn(Number(row.head), marksOf(row)) : null;
  },
  get: async ({ storeId, installationId, types }, eventId) =>
    (await database.rows(GET_FEED, { storeId, installationId, types, eventId }))[0] ?? null,
  purge: async (days, limit) => {
    let purged = 0;
    for (const { storeId } of await database.rows(STORES_TO_PURGE, { days, limit })) {
      if (purged >= limit) break;
      purged += (await database.rows(PURGE_FEEDS, { storeId, days, limit: limit - purged }))[0]?.n ?? 0;
    }
    return purged;
  },
});
