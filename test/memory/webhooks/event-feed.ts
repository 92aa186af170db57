import type { Clock } from '../../../src/domain/ports/clock.ts';
import {
  MAX_PASSED_BACK,
  type EventFeed,
  type FeedReader,
  type NewestQuery,
} from '../../../src/domain/ports/webhooks/event-feed.ts';
import { PRIVATE_TYPES } from '../../../src/domain/webhooks/event.ts';
import { beginBefore, expiryOf, placeIn, type FeedState } from '../../../src/domain/webhooks/feed-place.ts';
import { installationsOf, storesOf } from '../identity/identity-tables.ts';
import { table, type MemoryState } from '../state.ts';
import { eventsOf, type StoredEvent } from './event-repository.ts';

interface Place {
  readonly storeId: string;
  readonly position: number;
  readonly eventId: string;
  readonly placedAt: number;
}

type Ends = FeedState;

const MAX_PASSED = 2_000;
const MAX_BODY_BYTES = 4_194_304;
const DAY_MS = 86_400_000;

export const placesOf = (state: MemoryState): Map<string, Place> => table<Place>(state, 'feed');
const endsOf = (state: MemoryState, storeId: string): Ends =>
  table<Ends>(state, 'feed_heads').get(storeId) ?? { head: 0, tail: 0, epochs: [], firstCursors: 0 };

const presentEpoch = (state: MemoryState): string => {
  const number = table<number>(state, 'epochs').get('present') ?? 0;
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
};

/** Begins an epoch, as a start of the server does. */
export const beginEpoch = (state: MemoryState): void => {
  table<number>(state, 'epochs').set('present', (table<number>(state, 'epochs').get('present') ?? 0) + 1);
};

/** Simulates a failover: the feed loses everything after this position. */
export const loseAfter = (state: MemoryState, storeId: string, head: number): void => {
  for (const [key, each] of placesOf(state)) if (each.storeId === storeId && each.position > head) placesOf(state).delete(key);
  const ends = endsOf(state, storeId);
  table<Ends>(state, 'feed_heads').set(storeId, { ...ends, head, epochs: ends.epochs.filter(({ began }) => began < head) });
};

export const place = (state: MemoryState, { storeId, id }: StoredEvent, now: number): void => {
  const ends = endsOf(state, storeId);
  const { head, epochs } = ends;
  const position = head + 1;
  const epoch = presentEpoch(state);
  const began = epochs.some(({ id }) => id === epoch) ? [] : [{ id: epoch, began: head }];
  placesOf(state).set(`${storeId}/${position}`, { storeId, position, eventId: id, placedAt: now });
  table<Ends>(state, 'feed_heads').set(storeId, { ...ends, head: position, epochs: [...epochs, ...began] });
};

const fitting = (found: readonly (readonly [Place, StoredEvent])[]): (readonly [Place, StoredEvent])[] => {
  let bytes = 0;
  return found.filter(([, { body }], index) => (bytes += Buffer.byteLength(body)) <= MAX_BODY_BYTES || index === 0);
};

const traced = (
  body: string,
  { traceparent, origin }: StoredEvent,
  { installationId }: Pick<FeedReader, 'installationId'>,
): string =>
  traceparent === null || (installationId !== null && installationId !== origin)
    ? body
    : JSON.stringify({ ...(JSON.parse(body) as object), traceparent });

const isAskedFor = (
  { type, resourceId, createdAt }: StoredEvent,
  { types, since = -Infinity, until = Infinity, ...wanted }: NewestQuery,
): boolean =>
  (types === null || types.includes(type)) &&
  (wanted.resourceId === undefined || wanted.resourceId === resourceId) &&
  createdAt >= since &&
  createdAt < until;

interface Walk {
  /** Has at most one item more than the page may have. */
  readonly found: readonly unknown[];
  readonly page: readonly (readonly [Place, StoredEvent])[];
  readonly take: number;
  readonly start: number;
  readonly head: number;
}

const lastOf = ({ page, start }: Walk): number => page.at(-1)?.[0].position ?? start;

const endForApp = (walk: Walk) => {
  const more = walk.page.length < walk.found.length;
  return { next: more ? lastOf(walk) : walk.head, more };
};
const endForAll = (walk: Walk) => {
  const { found, page, take, start, head } = walk;
  const isCut = page.length === take || page.length < found.length;
  const next = isCut ? lastOf(walk) : Math.min(start + MAX_PASSED, head);
  return { next, more: next < head };
};

export const eventFeed = (state: MemoryState, clock: Clock): EventFeed => {
  const exists = ({ storeId, installationId }: FeedReader): boolean =>
    storesOf(state).has(storeId) && (installationId === null || installationsOf(state).get(installationId)?.storeId === storeId);
  const sinceOf = ({ installationId }: FeedReader, since = -Infinity): number => {
    const installation = installationId === null ? undefined : installationsOf(state).get(installationId);
    return Math.max(since, installation ? Date.parse(installation.createdAt) : -Infinity);
  };
  const maySee = ({ installationId, types }: FeedReader, { type, origin }: StoredEvent): boolean =>
    (types === null || types.includes(type)) &&
    (installationId === null || !PRIVATE_TYPES.some((one) => one === type) || origin === null || origin === installationId);
  const placesAfter = (storeId: string, position: number): Place[] =>
    [...placesOf(state).values()].filter((each) => each.storeId === storeId && each.position > position);

  return {
    read: async ({ after, take, resourceId, since, until = Infinity, ...reader }) => {
      if (!exists(reader)) return null;
      const { storeId } = reader;
      const ends = endsOf(state, storeId);
      const { head } = ends;
      const from = sinceOf(reader, since);
      const first = placesAfter(storeId, 0).find(({ placedAt }) => placedAt >= from);
      const start = after?.position ?? (first ? first.position - 1 : head);
      const expiry = expiryOf(after ?? placeIn(start, ends), ends);
      if (expiry !== null) return { kind: 'expired', ...expiry };
      const isApp = reader.installationId !== null && reader.types !== null;
      const found = placesAfter(storeId, start)
        .slice(0, isApp ? undefined : MAX_PASSED)
        .flatMap((each) => {
          const event = eventsOf(state).get(`${storeId}/${each.eventId}`);
          return event ? [[each, event] as const] : [];
        })
        .filter(([, event]) => maySee(reader, event) && event.createdAt >= from && event.createdAt < until)
        .filter(([, event]) => resourceId === undefined || event.resourceId === resourceId)
        .slice(0, take + 1);
      const page = fitting(found.slice(0, take));
      const { next, more } = (isApp ? endForApp : endForAll)({ found, page, take, start, head });
      const bodies = page.map(([, event]) => traced(event.body, event, reader));
      return { kind: 'page', bodies, next: placeIn(next, ends), more };
    },
    readNewest: async (query) => {
      const { storeId, since = -Infinity, take } = query;
      if (!storesOf(state).has(storeId)) return null;
      const ends = endsOf(state, storeId);
      const { head, tail } = ends;
      const floor = placesAfter(storeId, 0).findLast(({ placedAt }) => placedAt < since)?.position ?? tail;
      const start = Math.min(beginBefore(query.before, ends), head + 1);
      const passed = placesAfter(storeId, floor)
        .filter(({ position }) => position < start)
        .reverse()
        .slice(0, query.resourceId === undefined ? MAX_PASSED_BACK : undefined);
      const found = passed
        .flatMap((each) => {
          const event = eventsOf(state).get(`${storeId}/${each.eventId}`);
          return event && isAskedFor(event, query) ? [[each, event] as const] : [];
        })
        .slice(0, take);
      const page = fitting(found);
      const isCut = page.length === take || page.length < found.length;
      const next = (isCut ? page.at(-1)?.[0].position : passed.at(-1)?.position) ?? start;
      return {
        kind: 'page',
        bodies: page.map(([, event]) => traced(event.body, event, { installationId: null })),
        next: placeIn(next, ends),
        more: next > floor + 1,
      };
    },
    latest: async (reader, count, days) => {
      if (!exists(reader)) return null;
      let bytes = 0;
      return placesAfter(reader.storeId, 0)
        .slice(reader.installationId === null ? -MAX_PASSED_BACK : 0)
        .filter(({ placedAt }) => placedAt >= clock.now() - days * DAY_MS)
        .reverse()
        .flatMap(({ eventId }) => eventsOf(state).get(`${reader.storeId}/${eventId}`) ?? [])
        .filter((event) => maySee(reader, event) && event.createdAt >= sinceOf(reader))
        .slice(0, count)
        .map(({ wholeBody, body }) => wholeBody ?? body)
        .filter((body) => (bytes += Buffer.byteLength(body)) <= 2_097_152);
    },
    newest: async (storeId) => {
      const ends = endsOf(state, storeId);
      return storesOf(state).has(storeId) ? placeIn(ends.head, ends) : null;
    },
    get: async (reader, eventId) => {
      const event = eventsOf(state).get(`${reader.storeId}/${eventId}`);
      if (!event || !exists(reader) || !maySee(reader, event) || event.createdAt < sinceOf(reader)) return null;
      const isPlaced = placesAfter(reader.storeId, 0).some((each) => each.eventId === eventId);
      if (reader.installationId !== null && !isPlaced) return null;
      const { body, wholeBody, resourceId, origin, requestId } = event;
      return { body: traced(wholeBody ?? body, event, reader), resourceId, origin, requestId };
    },
    purge: async (days, limit) => {
      const before = clock.now() - days * DAY_MS;
      const gone = [...placesOf(state)].filter(([, { placedAt }]) => placedAt < before).slice(0, limit);
      for (const [key, { storeId, position }] of gone) {
        placesOf(state).delete(key);
        table<Ends>(state, 'feed_heads').set(storeId, { ...endsOf(state, storeId), tail: position });
      }
      return gone.length;
    },
  };
};
