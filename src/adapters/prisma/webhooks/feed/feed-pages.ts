import type { EventFeed, FeedExpired, FeedPage, FeedQuery } from '../../../../domain/ports/webhooks/event-feed.ts';
import { isoTimeOrNull } from '../../../../domain/time.ts';
import { expiryOf, placeIn, type FeedState } from '../../../../domain/webhooks/feed-place.ts';
import type { Sql } from '../../connection/sql.ts';
import { READ_AS_APP } from './app-feed-statements.ts';
import { audiencesFor } from './audience.ts';
import { MAX_PASSED, READ } from './event-feed-statements.ts';
import { marksOf } from './feed-marks.ts';

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
