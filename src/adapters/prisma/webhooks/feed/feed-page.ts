import type { EventFeed, FeedExpired, FeedPage, FeedQuery } from '../../../../domain/ports/webhooks/event-feed.ts';
import { isoTimeOrNull } from '../../../../domain/time.ts';
import { expiryOf, type FeedState, placeIn } from '../../../../domain/webhooks/feed-place.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { audiencesFor } from './audience.ts';
import { EPOCHS, FIRST_CURSORS, marksOf, maySee, READER, SHARED_TRACE, traced } from './feed-columns.ts';

/** The positions that one page passes at most, so that a filter that nothing fits ends soon. */
const MAX_PASSED = 2_000;
/** More than any caller takes. */
const MAX_FEED_TAKE = 250;
const MAX_BODY_BYTES = 4_194_304;

/**
 * Beginning of a page. Positions have no gaps and placed_at rises with them, so the first event
 * since a time is found by halving. Until then it has the installation of the reader, and the ends
 * of the feed.
 */
const START = `reader AS MATERIALIZED (
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
 * limit tells the planner how few there are (queue/due.ts). A length is known without reading
 * the body. The epochs are in the first row alone, since there may be many rows.
 */
const READ = statement({
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

const APP = { storeId: 'uuid', installationId: 'uuid', types: 'text[]', audiences: 'text[]' } as const;

/**
 * Extends READ for an app: the next places of each of its audiences, by their index, one more than
 * requested. The places behind the last of an audience that has more are not known, so the page
 * ends there at the latest. Places without an audience are older than those, and looked at one by
 * one. They are sorted as their index has them, since all are null.
 */
const READ_AS_APP = statement({
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

type Row = NonNullable<(typeof READ)['row']>;

const stateOf = (row: Row): FeedState => ({ head: Number(row.head), tail: Number(row.tail), ...marksOf(row) });

/** The events of the rows, and the last of them where it ends the page because more follow. */
const eventsOf = (rows: readonly Row[], take: number) => {
  const events = rows.flatMap(({ position, body, found }) =>
    position === null || body === null ? [] : [{ position, body, found }],
  );
  const last = events.at(-1);
  const found = Number(last?.found ?? 0);
  return { bodies: events.map(({ body }) => body), last: Number(last?.position ?? 0), found, isFull: events.length === take };
};

/** The first page of the rows, or why there is none. */
const begin = (
  [first]: readonly Row[],
  after: FeedQuery['after'],
  pageIn: (state: FeedState, start: number) => FeedPage,
): FeedPage | FeedExpired | null => {
  if (!first) return null;
  const state = stateOf(first);
  const start = Number(first.after);
  const expiry = expiryOf(after ?? placeIn(start, state), state);
  return expiry === null ? pageIn(state, start) : { kind: 'expired', ...expiry };
};

/** For the merchant, who sees all events: the page may say how many positions it has passed. */
const readAll = async (sql: Sql, { after, take, ...query }: FeedQuery): ReturnType<EventFeed['read']> => {
  const { resourceId = null, since, until } = query;
  const times = { since: isoTimeOrNull(since), until: isoTimeOrNull(until) };
  const rows = await sql.rows(READ, { ...query, ...times, resourceId, after: after?.position ?? null, take });
  return begin(rows, after, (state, start) => {
    const { bodies, last, found, isFull } = eventsOf(rows, take);
    const isCut = bodies.length > 0 && (isFull || bodies.length < found);
    const next = isCut ? last : Math.min(start + MAX_PASSED, state.head);
    return { kind: 'page', bodies, next: placeIn(next, state), more: next < state.head };
  });
};

type AppQuery = FeedQuery & { readonly installationId: string; readonly types: readonly string[] };

/** For an app, which does not learn how many events there are that it may not see. */
const readAsApp = async (sql: Sql, { after, take, ...query }: AppQuery): ReturnType<EventFeed['read']> => {
  const { installationId, types, resourceId = null, since, until } = query;
  const times = { since: isoTimeOrNull(since), until: isoTimeOrNull(until) };
  const audiences = audiencesFor(types, installationId);
  const rows = await sql.rows(READ_AS_APP, {
    ...query,
    ...times,
    audiences,
    resourceId,
    after: after?.position ?? null,
    take,
  });
  return begin(rows, after, (state) => {
    const { bodies, last, found } = eventsOf(rows, take);
    const horizon = rows[0]?.horizon ?? null;
    const isCut = bodies.length < found;
    const next = isCut ? last : Number(horizon ?? state.head);
    return { kind: 'page', bodies, next: placeIn(next, state), more: isCut || horizon !== null };
  });
};

export const readPage = (sql: Sql, query: FeedQuery): ReturnType<EventFeed['read']> => {
  const { installationId, types } = query;
  return installationId === null || types === null ? readAll(sql, query) : readAsApp(sql, { ...query, installationId, types });
};
