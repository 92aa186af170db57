import type { EventFeed, FeedPage } from '../../../domain/ports/webhooks/event-feed.ts';
import { isoTime } from '../../../domain/time.ts';
import { expiryOf, placeIn, type FeedState } from '../../../domain/webhooks/feed-place.ts';
import type { Database } from '../connection/database.ts';
import { marksOf } from './feed-marks.ts';
import { latestEvents, newestEvents } from './newest-events.ts';
import { GET, MAX_PASSED, NEWEST, PURGE, READ, STORES_TO_PURGE } from './event-feed-statements.ts';

type ReadRow = NonNullable<(typeof READ)['row']>;

const pageOf = (rows: readonly ReadRow[], state: FeedState, after: number, take: number): FeedPage => {
  const events = rows.flatMap(({ position, body, found }) =>
    position === null || body === null ? [] : [{ position, body, found }],
  );
  const last = events.at(-1);
  const isCut = last !== undefined && (events.length === take || events.length < Number(last.found));
  const next = isCut ? Number(last.position) : Math.min(after + MAX_PASSED, state.head);
  return { kind: 'page', bodies: events.map(({ body }) => body), next: placeIn(next, state), more: next < state.head };
};

export const eventFeed = (database: Database): EventFeed => ({
  read: async ({ storeId, installationId, types, after, take, resourceId, since, until }) => {
    const rows = await database.rows(READ, {
      storeId,
      installationId,
      types,
      after: after?.position ?? null,
      take,
      resourceId: resourceId ?? null,
      since: since === undefined ? null : isoTime(since),
      until: until === undefined ? null : isoTime(until),
    });
    const [first] = rows;
    if (!first) return null;
    const state = { head: Number(first.head), tail: Number(first.tail), ...marksOf(first) };
    const start = Number(first.after);
    const expiry = expiryOf(after ?? placeIn(start, state), state);
    return expiry === null ? pageOf(rows, state, start, take) : { kind: 'expired', ...expiry };
  },
  readNewest: (query) => newestEvents(database, query),
  latest: (reader, count) => latestEvents(database, reader, count),
  newest: async (storeId) => {
    const [row] = await database.rows(NEWEST, { storeId });
    return row ? placeIn(Number(row.head), marksOf(row)) : null;
  },
  get: async ({ storeId, installationId, types }, eventId) =>
    (await database.rows(GET, { storeId, installationId, types, eventId }))[0] ?? null,
  purge: async (days, limit) => {
    let purged = 0;
    for (const { storeId } of await database.rows(STORES_TO_PURGE, { days, limit })) {
      if (purged >= limit) break;
      purged += (await database.rows(PURGE, { storeId, days, limit: limit - purged }))[0]?.n ?? 0;
    }
    return purged;
  },
});
