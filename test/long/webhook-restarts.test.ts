import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, expect, it, vi } from 'vitest';

import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { anySql, openTestDatabase } from '../support/postgres.ts';
import { startReceiver, type Answer } from '../support/receiver.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { aStoreWithApp, asAdmin, startProcess } from '../support/server.ts';
import { allEnded, arrivalsOf, pay, subscribe } from '../support/webhooks.ts';

const EVENTS = 200;
const SCOPES = ['write_webhooks', 'read_orders'];

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
const opened = <T>(value: T, close: (value: T) => Promise<unknown>): T => {
  closers.push(() => close(value));
  return value;
};

/**
 * Runs each step when its number of requests has arrived, while the last of them is still
 * unanswered.
 */
const stepsAt = (steps: readonly (readonly [number, () => Promise<void>])[]) => {
  const left = [...steps];
  let done: Promise<void> = Promise.resolve();
  return {
    reached: (count: number): void => {
      const [at, step] = left[0] ?? [Infinity];
      if (count < at || !step) return;
      left.shift();
      done = done.then(step);
    },
    areLeft: () => left.length > 0,
    /** Resolves once all that was begun has ended. */
    ended: () => done,
  };
};

it.runIf(redisAvailable)(
  'when Redis is flushed and then restarted under load, nothing is lost and nothing arrives twice',
  async () => {
    const database = opened(await openTestDatabase(), (it) => it.close());
    const receiver = opened(await startReceiver(), (it) => it.close());
    let redis = await startRedis();
    closers.push(() => redis.stop());
    const client = opened(new Redis(redis.url), async (it) => it.disconnect());
    // The connection ends with the server.
    client.on('error', () => undefined);
    const env = { REDIS_URL: redis.url, WEBHOOK_RETRY_SECONDS: '0,3,3,3' };
    const server = opened(await startProcess({ databaseUrl: database.url, env }), (it) => it.end());
    const app = await aStoreWithApp(server, { scopes: SCOPES, products: 1 });
    const subscription = await subscribe(server, app, receiver.url, 'order.paid');

    let flushed = 0;
    const steps = stepsAt([
      [
        EVENTS / 4,
        async () => {
          flushed = await client.dbsize();
          await client.flushall();
        },
      ],
      [
        EVENTS / 2,
        async () => {
          await redis.stop();
          redis = await startRedis(redis.port);
        },
      ],
    ]);
    // Each tenth is refused once: its next attempt is a delayed job, which Redis forgets.
    const refused = new Set<string>();
    const answerOf =
      (refuses: boolean): Answer =>
      (response, { headers }) => {
        if (refuses) refused.add(headers['webhook-id'] ?? '');
        response.writeHead(refuses ? 500 : 204).end();
        steps.reached(receiver.received.length);
      };
    receiver.answer((response, request) => {
      const refuses = receiver.received.length % 10 === 0 && request.headers['webhook-attempt'] === '1';
      answerOf(refuses)(response, request);
    });

    const paid: string[] = [];
    const till = async (): Promise<void> => {
      while (paid.length < EVENTS || steps.areLeft()) paid.push(await pay(server, app.storeId));
    };
    await Promise.all(Array.from({ length: 4 }, till));
    await allEnded(database);
    await steps.ended();
    expect(steps.areLeft()).toBe(false);

    // With nothing else under way, what Redis forgets is asked for by the sweep alone.
    const laterJobs = (count: number) =>
      vi.waitFor(async () => expect(await client.zcard('bull:deliveries:delayed')).toBe(count), {
        timeout: 60_000,
        interval: 20,
      });
    await laterJobs(0);
    receiver.answer(answerOf(true), answerOf(false));
    paid.push(await pay(server, app.storeId));
    await laterJobs(1);
    await client.flushall();
    await allEnded(database);

    expect(flushed).toBeGreaterThan(0);
    const arrivals = arrivalsOf(receiver.received, () => app.signingSecret).of(subscription);
    expect([...arrivals.keys()].sort()).toEqual([...paid].sort());
    for (const [id, requests] of arrivals) expect(requests).toHaveLength(refused.has(id) ? 2 : 1);
  },
  180_000,
);

it('when PostgreSQL is restarted under load, once with a crash, the service recovers and nothing acknowledged is lost', async () => {
  const dataDir = opened(await mkdtemp(join(tmpdir(), 'tenon-restart-')), (it) => rm(it, { recursive: true, force: true }));
  let postgres = await startEmbeddedPostgres({ dataDir });
  closers.push(() => postgres.stop());
  const receiver = opened(await startReceiver(), (it) => it.close());
  const server = opened(await startProcess({ databaseUrl: postgres.url }), (it) => it.end());
  const app = await aStoreWithApp(server, { scopes: SCOPES, products: 1 });
  const subscription = await subscribe(server, app, receiver.url, 'order.paid');

  const restart = (hurryAfterMs: number) => async (): Promise<void> => {
    const { pid } = postgres;
    await postgres.stop(hurryAfterMs);
    postgres = await startEmbeddedPostgres({ dataDir });
    expect(postgres.pid).not.toBe(pid);
  };
  // The first lets sessions end, the second doesn't, and recovers from its log.
  const steps = stepsAt([
    [EVENTS / 4, restart(7_000)],
    [EVENTS / 2, restart(0)],
  ]);
  receiver.answer((response) => {
    steps.reached(receiver.received.length);
    response.writeHead(204).end();
  });

  const paid: string[] = [];
  const statuses = new Set<number>();
  const till = async (): Promise<void> => {
    while (paid.length < EVENTS || steps.areLeft()) {
      const order = { type: 'order.paid', data: { id: 'order' } };
      const { status, body } = await asAdmin(server, 'POST', `/admin/stores/${app.storeId}/events`, order);
      statuses.add(status);
      if (status === 202) paid.push((JSON.parse(body) as { eventId: string }).eventId);
    }
  };
  await Promise.all(Array.from({ length: 4 }, till));
  await steps.ended();
  const database = anySql(opened(openDatabase({ url: postgres.url }), (it) => it.close()));
  await allEnded(database);

  expect([...statuses].sort()).toEqual([202, 503]);
  const arrivals = arrivalsOf(receiver.received, () => app.signingSecret);
  const rows = await database.query<{ id: string }>("SELECT id FROM events WHERE type = 'order.paid'");
  expect([...arrivals.of(subscription).keys()].sort()).toEqual(rows.map(({ id }) => id).sort());
  expect(paid.filter((id) => !arrivals.of(subscription).has(id))).toEqual([]);
  expect(arrivals.repeats).toBeLessThanOrEqual(2 * 4);
}, 180_000);
