import { MAX_PASSED_BACK } from '../../../domain/ports/event-feed.ts';
import type { FeedPage, NewestQuery } from '../../../domain/ports/event-feed.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Sql } from '../connection/sql.ts';
import { BOUNDS, WALK } from './newest-events-statements.ts';

/** The positions of the first look, and by what they grow while the page is not full. */
const FIRST_SCAN = 1_000;
const GROWTH = 4;
const MAX_SCAN = 16_000;
const MAX_BODY_BYTES = 4_194_304;
/** No body of an event is longer. */
const LONGEST_BODY = 262_144;

const timeOf = (milliseconds: number | undefined): string | null => (milliseconds === undefined ? null : isoTime(milliseconds));

/** A page of the newest events, which reads more and more positions at once until it is full. */
export const newestEvents = async (sql: Sql, query: NewestQuery): Promise<FeedPage | null> => {
  const { storeId, types, take, resourceId = null } = query;
  const times = { since: timeOf(query.since), until: timeOf(query.until) };
  const [bounds] = await sql.rows(BOUNDS, { storeId, ...times });
  if (!bounds) return null;
  const [floor, top] = [Number(bounds.low), Number(bounds.high)];
  const start = Math.min(query.before ?? Infinity, top + 1);
  const bodies: string[] = [];
  let before = start;
  let room = MAX_BODY_BYTES;
  for (let scan = FIRST_SCAN; before > floor + 1 && start - before < MAX_PASSED_BACK; scan = Math.min(scan * GROWTH, MAX_SCAN)) {
    const low = Math.max(floor + 1, before - scan, start - MAX_PASSED_BACK);
    const missing = take - bodies.length;
    const rows = await sql.rows(WALK, { storeId, types, resourceId, ...times, before, low, take: missing, room });
    bodies.push(...rows.map(({ body }) => body));
    room -= rows.reduce((sum, { own }) => sum + own, 0);
    const last = rows.at(-1);
    if (last && (rows.length === missing || rows.length < Number(last.found))) {
      return { kind: 'page', bodies, next: Number(last.position), more: Number(last.position) > floor + 1 };
    }
    before = low;
    if (room < LONGEST_BODY) break;
  }
  return { kind: 'page', bodies, next: before, more: before > floor + 1 };
};
