import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { formatCredential } from '../../src/domain/identity/token.ts';
import { eventually } from '../support/eventually.ts';
import { awaitLockWaits } from '../support/lock-waits.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { anApp, aStoreWithApp, BULK, call, type StoreWithApp } from '../support/server.ts';
import { callOnce, runs, startWorkers, type Lane, type LaneAnswer, type Workers } from '../support/workers.ts';

const LIST = '/apps/catalog/products';
const FEED = '/apps/events';
const AT_ONCE = 60;
const FAILURES_AT_ONCE = 8;

let database: TestDatabase;
let node: Workers;
let app: StoreWithApp;
let lanes: readonly [Lane, Lane];

beforeAll(async () => {
  database = await openTestDatabase();
  node = await startWorkers(database.url, {
    WORKERS: '2',
    RATE_LIMIT_PER_SECOND: '1',
    RATE_LIMIT_BURST: String(AT_ONCE),
    FAILED_TOKEN_RATE_LIMIT_PER_SECOND: '1',
    FAILED_TOKEN_RATE_LIMIT_BURST: String(FAILURES_AT_ONCE),
  });
  const [first = 0, second = 0] = node.pids();
  lanes = [await node.laneTo(first), await node.laneTo(second)];
  app = await aStoreWithApp(node, { scopes: ['write_products', 'read_products'], products: 2 });
});
afterAll(async () => {
  await node.main.stop();
  await database.close();
});

const bulk = (lane: Lane, name: string, { headers, productIds } = app): Promise<LaneAnswer> =>
  lane.call(BULK, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': name },
    body: JSON.stringify({ products: [{ id: productIds[0], name }] }),
  });

const metricsOf = async (): Promise<string> => (await call(`${node.adminUrl}/metrics`, 'GET')).body;

/** Requests of the public port that the metrics count. */
const answered = (metrics: string, route: string): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith('tenon_http_requests_total{') && line.includes(`route="${route}"`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);

/** The place after the last event. */
const feedEnd = async (lane: Lane): Promise<string> => {
  const { body } = await lane.call(FEED, { headers: app.headers });
  return (JSON.parse(body) as { next: string }).next;
};

describe('two API processes', () => {
  it('serve one port, and the metrics of the admin listener count both', async () => {
    const before = answered(await metricsOf(), '/readyz');
    for (const lane of lanes) expect((await lane.call('/readyz')).status).toBe(200);
    const metrics = await metricsOf();
    expect(answered(metrics, '/readyz')).toBe(before + 2);
    const memory = metrics.matchAll(/^process_resident_memory_bytes\{process="(\w+)"\} \d+/gm);
    expect([...memory].map(([, name]) => name).sort()).toEqual(['1', '2', 'primary']);
    expect(metrics).toMatch(/^tenon_build_info\{version="[^"]+",generation="\d+"\} 1$/m);
    const readiness = await call(`${node.adminUrl}/readyz`, 'GET');
    expect(JSON.parse(readiness.body)).toMatchObject({ status: 'ok', checks: { processes: 'ok', accepting: 'ok' } });
  });

  it('count the requests of an installation together', async () => {
    const other = await anApp(node, app, ['read_products']);
    const seen = [];
    for (let at = 0; at <= AT_ONCE; at += 1) seen.push(await lanes[at % 2 ? 1 : 0].call(LIST, { headers: other.headers }));
    const left = seen.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]));
    expect(left).toEqual([...Array.from({ length: AT_ONCE }, (_, at) => AT_ONCE - 1 - at), 0]);
    expect(seen.map(({ status }) => status).lastIndexOf(200)).toBe(AT_ONCE - 1);
    expect(seen.at(-1)?.status).toBe(429);
  });

  it('count tokens that fail together; a token that was valid on one is looked up on the other', async () => {
    expect((await lanes[0].call(LIST, { headers: app.headers })).status).toBe(200);
    const token = formatCredential('accessToken', randomBytes(32));
    const fail = async (lane: Lane): Promise<number> =>
      (await lane.call(LIST, { headers: { host: app.domain, authorization: `Bearer ${token}` } })).status;
    for (let at = 0; at < FAILURES_AT_ONCE; at += 1) expect(await fail(lanes[0])).toBe(401);
    // News of a token arrive a moment after the answer.
    await eventually(async () => expect(await fail(lanes[1])).toBe(429));
    for (const lane of lanes) expect((await lane.call(LIST, { headers: app.headers })).status).toBe(200);
  });

  it('a write on one answers requests that wait for the feed on both; an installation has two of these in all', async () => {
    const [first, second] = lanes;
    const lane = await node.laneTo(node.pids()[0] ?? 0);
    const path = `${FEED}?after=${await feedEnd(first)}&wait=25`;
    const polls = [first, lane, second].map((each) => each.call(path, { headers: app.headers }));
    // Every other poll waits.
    expect((await Promise.race(polls)).status).toBe(429);
    expect((await bulk(await node.laneTo(node.pids()[1] ?? 0), 'woken')).status).toBe(200);
    const answers = await Promise.all(polls);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    expect(answers.filter(({ body }) => body.includes('woken'))).toHaveLength(2);
    lane.close();
  });

  it('when one is killed, requests of the other continue, another one takes its place, and no count falls', async () => {
    const [killed = 0, other = 0] = node.pids();
    const [lane, held] = [await node.laneTo(other), await node.laneTo(killed)];
    const next = await feedEnd(lane);
    const counted = answered(await metricsOf(), LIST);
    const poll = lane.call(`${FEED}?after=${next}&wait=25`, { headers: app.headers });
    const lost = held.call(`${FEED}?after=${next}&wait=25`, { headers: app.headers });
    const calls: Promise<LaneAnswer>[] = [];
    process.kill(killed, 'SIGKILL');
    await expect(lost).rejects.toThrow();
    // New connections, while one process is there and while the other one starts.
    await eventually(() => {
      calls.push(callOnce(`${node.url}/healthz`));
      expect(node.pids()).not.toContain(killed);
    });
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(node.main.out()).toContain('Another one takes its place.');
    const [fresh = 0] = node.pids();
    const freshLane = await node.laneTo(fresh);
    expect((await bulk(freshLane, 'after the end')).status).toBe(200);
    expect(await poll).toMatchObject({ status: 200, body: expect.stringContaining('after the end') });
    expect(answered(await metricsOf(), LIST)).toBeGreaterThanOrEqual(counted);
  });

  it('a signal to all of them, as of a terminal, lets running requests end; then all have ended', async () => {
    const pids = node.pids();
    const [slow, admin] = [await node.laneTo(pids[1] ?? 0), node.main.child.pid ?? 0];
    const key = 'while it stops';
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM products WHERE store_id = $1 AND id = $2 FOR UPDATE', [app.storeId, app.productIds[0]]);
    const write = bulk(slow, key);
    await awaitLockWaits(database);
    for (const pid of [...pids, admin]) process.kill(pid, 'SIGINT');
    await expect
      .poll(() =>
        callOnce(`${node.url}/healthz`).then(
          ({ status }) => status,
          () => 'refused',
        ),
      )
      .toBe('refused');
    await holder.query('COMMIT');
    holder.release();
    expect((await write).status).toBe(200);
    expect(await node.main.ended).toBe(0);
    expect(pids.map(runs)).toEqual([false, false]);
    expect(node.main.err()).toBe('');
  });
});
