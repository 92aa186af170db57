import { statement } from '../../connection/statement.ts';
import {
  EPOCHS,
  MAX_BODY_BYTES,
  MAX_PASSED,
  MAX_FEED_TAKE,
  maySee,
  READER,
  SHARED_TRACE,
  START,
  traced,
} from './event-feed-statements.ts';

const APP = { storeId: 'uuid', installationId: 'uuid', types: 'text[]', audiences: 'text[]' } as const;

/**
 * As READ, for an app: the next places of each of its audiences, by their index, one more than asked for. What is behind the last of an
 * audience that has more is not known, so the page ends there at the latest. Places without an audience are older than those, and looked
 * at one by one. They are sorted as their index has them, since all are null.
 */
export const READ_AS_APP = statement({
  text: `
    WITH RECURSIVE ${START}, places AS MATERIALIZED (
      SELECT a.audience, f.position, f.event_id FROM unnest($audiences::text[]) AS a(audience) CROSS JOIN LATERAL (
        SELECT position, event_id FROM feed
        WHERE store_id = $storeId AND audience = a.audience AND position > (SELECT position FROM start) ORDER BY position LIMIT $take::bigint + 1
      ) f
      UNION ALL
      (SELECT NULL, position, event_id FROM feed
        WHERE store_id = $storeId AND audience IS NULL AND position > (SELECT position FROM start) ORDER BY audience, position LIMIT ${MAX_PASSED})
    ), known AS MATERIALIZED (
      SELECT min(last) AS horizon FROM (
        SELECT max(position) AS last FROM places GROUP BY audience HAVING count(*) > CASE WHEN audience IS NULL THEN ${MAX_PASSED - 1} ELSE $take::bigint END
      ) cut
    ), matching AS (
      SELECT f.position, e.body, ${SHARED_TRACE} AS traceparent, octet_length(e.body) AS own
      FROM (
        SELECT position, event_id FROM places WHERE position <= coalesce((SELECT horizon FROM known), (SELECT head FROM start)) ORDER BY position
      ) f CROSS JOIN LATERAL (SELECT * FROM events WHERE store_id = $storeId AND id = f.event_id OFFSET 0) e
      WHERE ${maySee('(SELECT since FROM start)')} AND ($resourceId::text IS NULL OR e.resource_id = $resourceId)
        AND ($until::timestamptz IS NULL OR e.created_at < $until)
      ORDER BY f.position LIMIT ${MAX_FEED_TAKE + 1}
    ), page AS (
      SELECT position, body, traceparent, own, sum(own) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS bytes,
        row_number() OVER (ORDER BY position) AS number, count(*) OVER () AS found
      FROM (SELECT * FROM matching LIMIT $take::bigint + 1) m
    )
    SELECT s.head, s.tail, s.first AS "firstCursors", s.position AS after, k.horizon, p.position, ${traced('p.body', 'p.traceparent')} AS body, p.found,
      CASE WHEN row_number() OVER (ORDER BY p.position) = 1 THEN ${EPOCHS} END AS epochs
    FROM start s CROSS JOIN known k
      LEFT JOIN page p ON p.number <= $take AND (p.bytes <= ${MAX_BODY_BYTES} OR p.bytes = p.own) ORDER BY p.position`,
  parameters: { ...APP, after: 'int8?', take: 'int8', resourceId: 'text?', since: 'timestamptz?', until: 'timestamptz?' },
  row: {
    head: 'int8',
    tail: 'int8',
    firstCursors: 'int8?',
    after: 'int8',
    horizon: 'int8?',
    position: 'int8?',
    body: 'text?',
    found: 'int8?',
    epochs: 'text?',
  },
});

/** The newest events of the app's audiences with all their data, the newest first. */
export const LATEST_FOR_APP = statement({
  text: `
    SELECT l.body FROM (SELECT i.created_at FROM ${READER}) i LEFT JOIN LATERAL (
      SELECT n.position, n.body, sum(octet_length(n.body)) OVER (ORDER BY n.position DESC ROWS UNBOUNDED PRECEDING) AS bytes FROM (
        SELECT f.position, coalesce(e.whole_body, e.body) AS body FROM (
          SELECT position, event_id, placed_at FROM unnest($audiences::text[]) AS a(audience) CROSS JOIN LATERAL (
            SELECT position, event_id, placed_at FROM feed
            WHERE store_id = $storeId AND audience = a.audience ORDER BY position DESC LIMIT $count
          ) one
          UNION ALL
          (SELECT position, event_id, placed_at FROM feed
            WHERE store_id = $storeId AND audience IS NULL ORDER BY audience DESC, position DESC LIMIT $count)
          ORDER BY position DESC
        ) f CROSS JOIN LATERAL (SELECT * FROM events WHERE store_id = $storeId AND id = f.event_id OFFSET 0) e
        WHERE ${maySee('i.created_at')} AND f.placed_at >= statement_timestamp() - make_interval(days => $days)
        ORDER BY f.position DESC LIMIT $count
      ) n
    ) l ON l.bytes <= $room
    ORDER BY l.position DESC`,
  parameters: { ...APP, count: 'int8', days: 'int4', room: 'int8' },
  row: { body: 'text?' },
});
