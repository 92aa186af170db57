import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { request } from 'undici';

import { formatFirstCursor } from '../../src/domain/webhooks/feed-cursor.ts';
import { startChild } from '../support/child.ts';
import { openEnvironment } from '../support/environment.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { sendEvents } from '../support/shop.ts';
import { keepPlan, lengthOf, openTenant, sendPlan, type Tenant } from '../support/stage.ts';
import { quantile, spreadOf } from '../support/statistics.ts';
import { startTenon, type Tenon } from '../support/tenon.ts';

const FORMS = { full: { kept: 100_000, events: 100 }, short: { kept: 1_000, events: 15 } };
const TAKE = 250;
const CONNECTIONS = 4;
const PER_SECOND = 25;
const WAIT_SECONDS = 25;
/** The last events arrive within the time of a few fan-outs. */
const ARRIVAL_MS = 10_000;
const POLL_MS = 50;

/** Events of about 1 KB with their places. */
const FILL = `
  WITH made AS (
    INSERT INTO events (id, store_id, type, resource_id, body, created_at)
    SELECT gen_random_uuid(), $1::uuid, 'order.paid', 'order-' || n,
      json_build_object('id', n, 'type', 'order.paid', 'data', json_build_object('id', 'order-' || n, 'text', repeat('x', 900))), clock_timestamp()
    FROM generate_series(1, $2::int) AS n RETURNING id
  ), placed AS (
    INSERT INTO feed (store_id, position, event_id, placed_at, audience) SELECT $1::uuid, row_number() OVER (), id, clock_timestamp(), 'order.paid' FROM made
  )
  INSERT INTO feed_heads (store_id, head) SELECT $1::uuid, count(*) FROM made`;

const fill = async (pool: pg.Pool, storeId: string, count: number): Promise<void> => {
  await pool.query(FILL, [storeId, count]);
  for (const table of ['events', 'feed', 'feed_heads']) await pool.query(`VACUUM ANALYZE ${table}`);
};

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next: string;
}

/** A client that waits for events, and notes when each arrives. */
const follow = ({ url }: Tenon, { headers }: Tenant) => {
  const arrived = new Map<string, number>();
  const done = new AbortController();
  const walk = async (): Promise<void> => {
    let after = 'latest';
    while (!done.signal.aborted) {
      const path = `${url}/apps/events?take=${TAKE}&wait=${WAIT_SECONDS}&after=${after}`;
      const answer = await request(path, { headers, signal: done.signal });
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
      const { items, next } = (await answer.body.json()) as Page;
      const at = performance.timeOrigin + performance.now();
      for (const { id } of items) arrived.set(id, at);
      after = next;
    }
  };
  const walking = walk().catch((error: unknown) => {
    if (!done.signal.aborted) throw error;
  });
  return {
    arrived,
    stop: async (): Promise<void> => {
      done.abort();
      await walking;
    },
  };
};

/** Milliseconds from each event's time, shortly before its commit, to its arrival. */
const delaysOf = async (pool: pg.Pool, arrived: ReadonlyMap<string, number>, ids: readonly string[]): Promise<number[]> => {
  const { rows } = await pool.query<{ id: string; at: number }>(
    'SELECT id, extract(epoch FROM created_at)::float * 1000 AS at FROM events WHERE id = ANY ($1::uuid[])',
    [ids],
  );
  const missing = ids.filter((id) => !arrived.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} of ${ids.length} events did not arrive`);
  return rows.map(({ id, at }) => (arrived.get(id) ?? NaN) - at);
};

/** The feed read page by page, and by a client that waits for each event. */
export const feed = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const { kept, events } = FORMS[short ? 'short' : 'full'];
  const environment = await openEnvironment();
  const load = startChild('support/load.ts');
  const tenon = await startTenon(environment.databaseUrl, { ROLE: 'all' });
  const [walked, followed] = [await openTenant(tenon), await openTenant(tenon)];
  await fill(environment.pool, walked.storeId, kept);
  // Positions are chosen here, so the cursors have no seal.
  await environment.pool.query('UPDATE feed_heads SET first_cursors = head');
  const pages = Array.from({ length: kept / TAKE }, (_, page) => ({
    method: 'GET' as const,
    path: `/apps/events?take=${TAKE}&after=${formatFirstCursor(walked.storeId, page * TAKE)}`,
    headers: walked.headers,
  }));
  await keepPlan(load, 'pages', { inTurn: pages });
  const read = () =>
    sendPlan(load, { plan: 'pages', urls: [tenon.url], connections: CONNECTIONS, ...lengthOf(short, CONNECTIONS) });
  const delay = async (): Promise<number[]> => {
    const { arrived, stop } = follow(tenon, followed);
    const ids = await sendEvents(tenon, [followed.storeId], { perSecond: PER_SECOND, count: events });
    for (let left = ARRIVAL_MS; left > 0 && ids.some((id) => !arrived.has(id)); left -= POLL_MS) await pause(POLL_MS);
    await stop();
    return delaysOf(environment.pool, arrived, ids);
  };

  await read();
  await delay();
  const rates: number[] = [];
  const times: number[] = [];
  const delays: number[][] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const { rate, p50, errors } = await read();
    if (errors > 0) throw new Error(`${errors} pages were not answered`);
    rates.push(rate * TAKE);
    times.push(p50);
    delays.push(await delay());
    process.stderr.write(`${Math.round(rate * TAKE)} events/s, p50 ${quantile(delays.at(-1) ?? [], 0.5).toFixed(1)} ms\n`);
  }
  await Promise.all([tenon.stop(), load.stop()]);
  await environment.close();
  const of = (q: number) => spreadOf(delays.map((found) => quantile(found, q)));
  return {
    about: `${kept} events of about 1 KB, read in pages of ${TAKE} over ${CONNECTIONS} connections. Then ${PER_SECOND} events a second through the admin API, ${events} a round, to a client that waits for them: from the timestamp of the event, shortly before its commit, to the arrival of its page. One process (ROLE=all) with the queue in PostgreSQL.`,
    figures: [
      { name: 'events read', unit: 'events/s', least: 20_000, ...spreadOf(rates) },
      { name: `a page of ${TAKE}, p50`, unit: 'ms', ...spreadOf(times) },
      { name: 'commit to feed, p50', unit: 'ms', most: 10, ...of(0.5) },
      { name: 'commit to feed, p99', unit: 'ms', ...of(0.99) },
    ],
  };
};
