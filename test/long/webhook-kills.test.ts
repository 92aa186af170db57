import { afterAll, beforeAll, expect, it } from 'vitest';

import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, bulk, startProcess, type ServerProcess } from '../support/server.ts';
import { allEnded, arrivalsOf, pay, subscribe, subscribeMerchant } from '../support/webhooks.ts';

const EVENTS = 2_000;
const PRODUCTS = 20;
const WRITERS = 6;
const KILLS = 3;
const MAX_IN_FLIGHT = 4;
const SEED = 20_261_121;

/** Numbers from [0, 1), the same at every run (mulberry32). */
const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

/** `moments` random values up to `count`, one in each equal part of it. */
const momentsOf = (random: () => number, total: number): number[] =>
  Array.from({ length: KILLS }, (_, k) => Math.floor(((k + 0.1 + 0.8 * random()) * total) / KILLS));

/** A process that is started again after each kill. */
const aVictim = (databaseUrl: string, role: 'api' | 'worker', moments: number[]) => {
  const start = (): Promise<ServerProcess> => startProcess({ databaseUrl, env: { ROLE: role } });
  let running = start();
  const deaths: unknown[] = [];
  const replace = async (server: ServerProcess): Promise<ServerProcess> => {
    server.kill('SIGKILL');
    deaths.push(await server.exited);
    return start();
  };
  return {
    deaths,
    running: () => running,
    /** Told how far it is, dies at its moments. */
    reached: (count: number): void => {
      if (count < (moments[0] ?? Infinity)) return;
      moments.shift();
      running = running.then(replace);
    },
  };
};

let database: TestDatabase;
let receiver: Receiver;
let api: ReturnType<typeof aVictim>;
let worker: ReturnType<typeof aVictim>;

beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
  const random = seeded(SEED);
  api = aVictim(database.url, 'api', momentsOf(random, EVENTS));
  worker = aVictim(database.url, 'worker', momentsOf(random, 2 * EVENTS));
  await Promise.all([api.running(), worker.running()]);
});
afterAll(async () => {
  await Promise.all([api, worker].map(async (victim) => (await victim.running()).end()));
  await receiver.close();
  await database.close();
});

it('kill -9 at random moments of 2,000 events: every acknowledged write is delivered, no uncommitted one is, and only attempts in flight arrive twice', async () => {
  receiver.answer((response) => {
    worker.reached(receiver.received.length);
    response.writeHead(204).end();
  });
  const app = await aStoreWithApp(await api.running(), {
    scopes: ['write_products', 'write_webhooks', 'read_orders'],
    products: PRODUCTS,
  });
  const types = ['product.updated', 'order.paid'];
  const own = await subscribe(await api.running(), app, receiver.url, ...types);
  const merchant = await subscribeMerchant(await api.running(), app.storeId, receiver.url, ...types);

  // An order's event is known by its id, a product's by the name that it was given.
  const acknowledged: string[] = [];
  let lost = 0;
  let writes = 0;
  const write = async (server: ServerProcess): Promise<string[]> => {
    writes += 1;
    if (writes % 3 === 0) return [await pay(server, app.storeId)];
    const names = app.productIds.map((_, k) => `Write ${writes}, product ${k}`);
    const answer = await bulk(
      server,
      app,
      `write-${writes}`,
      names.map((name, k) => ({ id: app.productIds[k], name })),
    );
    expect(answer.status, answer.body).toBe(200);
    return names;
  };
  const writer = async (): Promise<void> => {
    while (acknowledged.length < EVENTS) {
      const server = await api.running();
      try {
        acknowledged.push(...(await write(server)));
        api.reached(acknowledged.length);
      } catch (error) {
        // Cut off by a kill, and not tried again; anything else is a failure.
        if (server === (await api.running())) throw error;
        lost += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await api.running();
  await allEnded(database);

  const killed = Array.from({ length: KILLS }, () => ({ code: null, signal: 'SIGKILL' }));
  expect([api.deaths, worker.deaths]).toEqual([killed, killed]);
  expect(lost).toBeGreaterThan(0);
  const rows = await database.query<{ id: string; body: string; known: string }>(
    `SELECT id, body, coalesce(body::json #>> '{data,current,name}', id::text) AS known FROM events WHERE type = ANY($1)`,
    [types],
  );
  const committed = new Set(rows.map((row) => row.known));
  expect(acknowledged.filter((known) => !committed.has(known))).toEqual([]);

  const arrivals = arrivalsOf(receiver.received, (id) => (id === own ? app.signingSecret : merchant.signingSecret));
  const written = rows.map(({ id, body }) => [id, body] as const).sort();
  for (const subscription of [own, merchant.id]) {
    const arrived = [...arrivals.of(subscription)].map(([id, requests]) => [id, requests[0]?.body.toString()] as const).sort();
    expect(arrived).toEqual(written);
  }
  expect(arrivals.repeats).toBeLessThanOrEqual(2 * KILLS * MAX_IN_FLIGHT);
}, 300_000);
