import { LATEST_FOR_APP } from './app-feed-statements.ts';
import { audiencesFor } from './audience.ts';
import {
  MAX_PASSED_BACK,
  type EventFeed,
  type FeedPage,
  type NewestQuery,
} from '../../../../domain/ports/webhooks/event-feed.ts';
import { isoTimeOrNull } from '../../../../domain/time.ts';
import { beginBefore, placeIn } from '../../../../domain/webhooks/feed-place.ts';
import type { Sql } from '../../connection/sql.ts';
import { marksOf } from './feed-marks.ts';
import { BOUNDS, LATEST, OF_RESOURCE, WALK } from './newest-events-statements.ts';

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
