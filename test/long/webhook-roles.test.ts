import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { startLocally, type LocalServer } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { hang, respond, startReceiver, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, asAdmin, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';
import { allEnded, arrivalsOf, payMany, statusesOf, subscribe } from '../support/webhooks.ts';

let database: TestDatabase;
let receiver: Receiver;
let api: LocalServer;
let app: StoreWithApp;
let subscriptionId: string;
const workers: LocalServer[] = [];

beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
  api = await startLocally({ databaseUrl: database.url, env: { ROLE: 'api' } });
  app = await aStoreWithApp(api, { scopes: ['write_webhooks', 'read_orders'], products: 1 });
  subscriptionId = await subscribe(api, app, receiver.url, 'order.paid');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end()));
});
afterAll(async () => {
  await api.end();
  await receiver.close();
  await database.close();
});

const aWorker = async (): Promise<LocalServer> => {
  const worker = await startLocally({ databaseUrl: database.url, env: { ROLE: 'worker' } });
  workers.push(worker);
  return worker;
};

/** A worker that gets a signal. */
const aWorkerProcess = async (env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
  const worker = await startProcess({ databaseUrl: database.url, env: { ROLE: 'worker', ...env } });
  workers.push(worker);
  return worker;
};

/** The value of a series of the metrics; NaN where there is none. */
const valueOf = (metrics: string, series: string): number => {
  const line = metrics.split('\n').find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
};

describe('ROLE', () => {
  it('api delivers nothing until a worker runs; the worker has no public listener', async () => {
    const paid = await payMany(api, app.storeId, 20);
    expect(receiver.received).toHaveLength(0);
    const worker = await aWorker();
    await allEnded(database);
    expect(worker.url).toBe('');
    const arrived = arrivalsOf(receiver.received, () => app.signingSecret);
    expect([[...arrived.of(subscriptionId).keys()].sort(), arrived.repeats]).toEqual([[...paid].sort(), 0]);
    expect(receiver.received).toHaveLength(paid.length + 1);
  });

  it('worker answers /healthz, /readyz and /metrics on its admin listener, with counts of its deliveries', async () => {
    const worker = await aWorker();
    const answers = await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => asAdmin(worker, 'GET', path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const before = valueOf(answers[2]?.body ?? '', 'tenon_webhook_attempts_total{outcome="delivered"}');
    expect(before).toBeNaN();

    receiver.answer(respond(500), respond(204));
    const paid = await payMany(api, app.storeId, 10);
    await allEnded(database);
    const { body } = await asAdmin(worker, 'GET', '/metrics');
    const values = {
      'tenon_webhook_attempts_total{outcome="delivered"}': paid.length,
      'tenon_webhook_attempts_total{outcome="retry"}': 1,
      tenon_feed_events_total: paid.length,
      tenon_webhook_attempt_seconds_count: paid.length + 1,
      tenon_webhook_commit_to_first_attempt_seconds_count: paid.length,
      tenon_webhook_deliveries_queued: 0,
      tenon_webhook_events_waiting: 0,
      tenon_webhook_oldest_due_seconds: 0,
      tenon_webhook_open_breakers: 0,
      'tenon_http_requests_total{method="GET",route="/healthz",status="200"}': 1,
    };
    for (const [series, value] of Object.entries(values)) expect([series, valueOf(body, series)]).toEqual([series, value]);
    expect(valueOf(body, 'tenon_queue_waiting_jobs')).toBeGreaterThanOrEqual(0);
    const { body: ofApi } = await asAdmin(api, 'GET', '/metrics');
    const route = 'method="POST",route="/admin/stores/:storeId/events"';
    expect(valueOf(ofApi, `tenon_http_requests_total{${route},status="202"}`)).toBe(30);
    expect(valueOf(ofApi, `tenon_http_request_seconds_count{${route}}`)).toBe(30);
    expect(valueOf(ofApi, 'tenon_webhook_attempts_total{outcome="delivered"}')).toBeNaN();
  });
});

describe('a worker that gets SIGTERM with attempts in flight exits with 0 and does not wait for those that hang', () => {
  it('finished attempts are recorded, and no other starts', async () => {
    const worker = await aWorkerProcess();
    const answers: (() => void)[] = [];
    receiver.answer((response) => answers.push(() => response.writeHead(204).end()));
    const from = receiver.received.length;
    const paid = await payMany(api, app.storeId, 10);
    while (answers.length < 4) await receiver.next();
    // A worker that stops begins no more fan-outs, and an event without one has no deliveries to count.
    await vi.waitUntil(async () => (await database.query('SELECT FROM pending_events')).length === 0, { timeout: 30_000 });
    worker.kill('SIGTERM');
    // The admin listener refuses once the worker has heard of it.
    for (;;) {
      const heard = await asAdmin(worker, 'GET', '/healthz').then(
        () => false,
        () => true,
      );
      if (heard) break;
    }
    for (const answer of answers) answer();
    expect(await worker.exited).toEqual({ code: 0, signal: null });
    expect(receiver.received.length - from).toBe(4);
    expect(await statusesOf(database, [subscriptionId])).toMatchObject({ Delivered: 30 + 4, Pending: 6 });

    receiver.answer(respond(204));
    await aWorker();
    await allEnded(database);
    const arrived = arrivalsOf(receiver.received.slice(from), () => app.signingSecret);
    expect([[...arrived.of(subscriptionId).keys()].sort(), arrived.repeats]).toEqual([[...paid].sort(), 0]);
  });

  it('hanging deliveries are released, and another worker delivers them without a lost attempt', async () => {
    const worker = await aWorkerProcess({ WEBHOOK_TIMEOUT_SECONDS: '60' });
    receiver.answer(hang);
    const from = receiver.received.length;
    const paid = await payMany(api, app.storeId, 10);
    while (receiver.received.length - from < 4) await receiver.next();
    const begun = performance.now();
    worker.kill('SIGTERM');
    expect(await worker.exited).toEqual({ code: 0, signal: null });
    // The attempts hang for 60 s: it does not wait for them.
    expect(performance.now() - begun).toBeLessThan(50_000);
    receiver.answer(respond(204));
    await aWorker();
    await allEnded(database);
    const received = receiver.received.slice(from);
    const arrived = arrivalsOf(received, () => app.signingSecret);
    expect([[...arrived.of(subscriptionId).keys()].sort(), arrived.repeats]).toEqual([[...paid].sort(), 4]);
    expect(new Set(received.map(({ headers }) => headers['webhook-attempt']))).toEqual(new Set(['1']));
  }, 120_000);
});
