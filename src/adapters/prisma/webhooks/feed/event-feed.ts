import type { EventFeed } from '../../../../domain/ports/webhooks/event-feed.ts';
import { placeIn } from '../../../../domain/webhooks/feed-place.ts';
import type { Database } from '../../connection/database.ts';
import { marksOf } from './feed-marks.ts';
import { latestEvents, newestEvents } from './newest-events.ts';
import { readPage } from './feed-pages.ts';
import { GET_FEED, NEWEST, PURGE_FEEDS, STORES_TO_PURGE } from './event-feed-statements.ts';

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
