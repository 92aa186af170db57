import {
  type EventFeed,
  type FeedPage,
  MAX_PASSED_BACK,
  type NewestQuery,
} from '../../../../domain/ports/webhooks/event-feed.ts';
import { isoTimeOrNull } from '../../../../domain/time.ts';
import { beginBefore, placeIn } from '../../../../domain/webhooks/feed-place.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { audiencesFor } from './audience.ts';
import { EPOCHS, FIRST_CURSORS, marksOf, maySee, READER, traced } from './feed-columns.ts';

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
const BOUNDS = statement({
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
const LATEST = statement({
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
const WALK = statement({
  text: page(`(
        SELECT position, event_id FROM feed WHERE store_id = $storeId AND position < $before AND position >= $low ORDER BY position DESC
      ) f CROSS JOIN LATERAL (SELECT * FROM events WHERE store_id = $storeId AND id = f.event_id OFFSET 0) e
      WHERE ${IS_ASKED_FOR}`),
  parameters: PARAMETERS,
  row: ROW,
});

/** Reads all events about the resource, by their index, and sorts them: they are few beside the others. */
const OF_RESOURCE = statement({
  text: page(`events e
        CROSS JOIN LATERAL (SELECT position FROM feed WHERE store_id = $storeId AND event_id = e.id OFFSET 0) f
      WHERE e.store_id = $storeId AND e.resource_id = $resourceId AND f.position < $before AND f.position >= $low AND ${IS_ASKED_FOR}`),
  parameters: { ...PARAMETERS, resourceId: 'text' },
  row: ROW,
});

/** The newest events of the app's audiences with all their data, the newest first. */
const LATEST_FOR_APP = statement({
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
  parameters: {
    storeId: 'uuid',
    installationId: 'uuid',
    types: 'text[]',
    audiences: 'text[]',
    count: 'int8',
    days: 'int4',
    room: 'int8',
  },
  row: { body: 'text?' },
});

/** The positions of the first look, and by what they grow while the page is not full. */
const FIRST_SCAN = 1_000;
const GROWTH = 4;
const MAX_SCAN = 16_000;
const MAX_BODY_BYTES = 4_194_304;
/** No body of an event is longer. */
const LONGEST_BODY = 262_144;

const MAX_LATEST_BYTES = 2_097_152;

export const latestEvents = async (
  sql: Pick<Sql, 'rows'>,
  ...[{ storeId, installationId, types }, count, days]: Parameters<EventFeed['latest']>
): ReturnType<EventFeed['latest']> => {
  const most = { storeId, count, days, room: MAX_LATEST_BYTES };
  const rows =
    installationId === null || types === null
      ? await sql.rows(LATEST, { ...most, types, passed: MAX_PASSED_BACK })
      : await sql.rows(LATEST_FOR_APP, { ...most, installationId, types, audiences: audiencesFor(types, installationId) });
  return rows.length === 0 ? null : rows.flatMap(({ body }) => body ?? []);
};

/**
 * A page of the newest events. Those of one resource are read by their index. Otherwise it reads more
 * and more positions at once until the page is full.
 */
export const newestEvents = async (sql: Sql, query: NewestQuery): Promise<FeedPage | null> => {
  const { storeId, types, take, resourceId } = query;
  const times = { since: isoTimeOrNull(query.since), until: isoTimeOrNull(query.until) };
  const [bounds] = await sql.rows(BOUNDS, { storeId, ...times });
  if (!bounds) return null;
  const [floor, top] = [Number(bounds.low), Number(bounds.high)];
  const bodies: string[] = [];
  const state = { head: Number(bounds.head), tail: Number(bounds.tail), ...marksOf(bounds) };
  const start = Math.min(beginBefore(query.before, state), top + 1);
  const pageTo = (position: number): FeedPage => {
    const next = placeIn(position, state);
    return { kind: 'page', bodies, next, more: position > floor + 1 };
  };
  const isCut = (rows: readonly { readonly found: string }[], wanted: number): boolean =>
    rows.length === wanted || rows.length < Number(rows.at(-1)?.found ?? 0);
  if (resourceId !== undefined) {
    const range = { before: start, low: floor + 1, take, room: MAX_BODY_BYTES };
    const rows = await sql.rows(OF_RESOURCE, { storeId, types, resourceId, ...times, ...range });
    bodies.push(...rows.map(({ body }) => body));
    return pageTo(isCut(rows, take) ? Number(rows.at(-1)?.position) : Math.min(start, floor + 1));
  }
  let before = start;
  let room = MAX_BODY_BYTES;
  for (let scan = FIRST_SCAN; before > floor + 1 && start - before < MAX_PASSED_BACK; scan = Math.min(scan * GROWTH, MAX_SCAN)) {
    const low = Math.max(floor + 1, before - scan, start - MAX_PASSED_BACK);
    const missing = take - bodies.length;
    const rows = await sql.rows(WALK, { storeId, types, ...times, before, low, take: missing, room });
    bodies.push(...rows.map(({ body }) => body));
    room -= rows.reduce((sum, { own }) => sum + own, 0);
    if (isCut(rows, missing)) return pageTo(Number(rows.at(-1)?.position));
    before = low;
    if (room < LONGEST_BODY) break;
  }
  return pageTo(before);
};
