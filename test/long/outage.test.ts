import { beforeEach, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../src/adapters/http/webhooks/event-fields.ts';
import { createNodeObservations } from '../../src/adapters/wiring/node-observations.ts';
import { createApplication, type Application } from '../../src/application/index.ts';
import { sweepIncidents } from '../../src/application/insight/sweep-incidents.ts';
import { deliverDue } from '../../src/application/webhooks/delivery/deliver-due.ts';
import { fanOutEvents } from '../../src/application/webhooks/fan-out-events.ts';
import { openMemoryPorts, type MemoryWorld } from '../support/memory-ports.ts';
import { NO_SANDBOXES } from '../support/sandbox-settings.ts';

const RECEIVERS = 18;
const STOPPED = 14;
const MINUTE = 60_000;
/** Times of the outage, in minutes from the start. */
const OUTAGE = { from: 3, to: 13 };
const MINUTES = 30;
const SECONDS_BETWEEN = 20;
const SCHEDULE = { waits: [0, 5, 300, 1800, 7200], jitter: 0 };

const value = <T>(result: { ok: true; value: T } | { ok: false; message: string }): T =>
  result.ok ? result.value : expect.fail(result.message);

/** A request that a receiver saw. */
interface Seen {
  readonly url: string;
  readonly eventId: string;
  readonly isAnswered: boolean;
}

let ports: MemoryWorld;
let app: Application;
let storeId: string;
let start: number;
let isDown: boolean;
let seen: Seen[];
let events: { readonly id: string; readonly at: number }[];
let sweep: () => Promise<void>;

const urlOf = (n: number): string => `https://receiver-${String(n)}.example.com/`;
const URLS = Array.from({ length: RECEIVERS }, (_, n) => urlOf(n));
const stops = (url: string): boolean => URLS.indexOf(url) < STOPPED;

beforeEach(async () => {
  [seen, events, isDown] = [[], [], false];
  ports = openMemoryPorts({
    answer: ({ url, headers }) => {
      const isAnswered = !(isDown && stops(url));
      seen.push({ url, eventId: headers['webhook-id'] ?? '', isAnswered });
      return { status: isAnswered ? 204 : 503 };
    },
  });
  const settings = { schedule: SCHEDULE, onAttempt: () => undefined };
  const stopping = new AbortController().signal;
  ports.deliveryQueue.work({
    fanOut: fanOutEvents(ports),
    deliver: deliverDue(ports, { ...settings, maxInFlight: 4, stopping }),
  });
  app = createApplication(ports, {
    idempotencyMaxResponseBytes: 262_144,
    bulkMaxProducts: 250,
    secretOverlapSeconds: 86_400,
    ...NO_SANDBOXES,
    adminToken: 'the-admin-token-of-the-tests',
    appConsoleUrl: null,
    consentUrl: 'https://console.test/console/install',
    webhookAllowedCidrs: [],
    eventFields: EVENT_FIELDS,
    delivery: settings,
  });
  sweep = sweepIncidents(ports, createNodeObservations(ports.clock));
  storeId = value(await app.createStore({ domain: 'shop.example' })).id;
  for (const url of URLS) value(await app.createMerchantSubscription(null, storeId, { url, eventTypes: ['order.paid'] }));
  // The pings of their creation.
  await ports.deliveryQueue.run();
  seen = [];
  start = Math.ceil(ports.clock.now() / MINUTE) * MINUTE + MINUTE;
  ports.clock.advance(start - ports.clock.now());
});

/** A minute in which orders come in: the clock moves in steps, and the worker works after each. */
const live = async (): Promise<void> => {
  for (let second = 0; second < 60; second += SECONDS_BETWEEN) {
    const id = `order-${String(events.length)}`;
    const { eventId } = value(await app.recordEvent(null, storeId, { type: 'order.paid', data: { id } }));
    events.push({ id: eventId, at: ports.clock.now() });
    for (let step = 0; step < SECONDS_BETWEEN; step += 5) {
      await ports.deliveryQueue.run();
      ports.clock.advance(5_000);
    }
  }
  // The end of this minute, before anything of the next.
  ports.clock.advance(-1);
  await sweep();
};

/** Computes the true state from the receivers' notes and the records. */
const truth = () => {
  const keyOf = (url: string, eventId: string): string => `${url} ${eventId}`;
  const arrived = new Set(seen.filter(({ isAnswered }) => isAnswered).map(({ url, eventId }) => keyOf(url, eventId)));
  const missing = URLS.flatMap((url) => events.filter(({ id }) => !arrived.has(keyOf(url, id))).map(({ at }) => ({ url, at })));
  const lastOf = (url: string): Seen | undefined => seen.filter((one) => one.url === url).at(-1);
  const oldest = missing.reduce<number | null>((first, { at }) => Math.min(first ?? at, at), null);
  return {
    attempts: seen.length,
    succeeded: seen.filter(({ isAnswered }) => isAnswered).length,
    delivered: arrived.size,
    waiting: missing.length,
    oldestSeconds: oldest === null ? null : Math.floor((ports.clock.now() - oldest) / 1_000),
    failing: URLS.filter((url) => lastOf(url)?.isAnswered === false),
    waitingFor: (url: string) => missing.filter((one) => one.url === url).length,
  };
};

/** Reads the overview. */
const overview = async () => {
  const [stats, attention, incidents] = await Promise.all([
    app.getStats(storeId, { from: start, step: 'minute' }),
    app.getAttention(storeId),
    ports.incidents.list(storeId, {}, { after: null, take: 100 }),
  ]);
  return { steps: value(stats).steps, attention: value(attention), incidents: incidents ?? [] };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

it('14 of 18 receivers stop for ten minutes: what the overview says at the end of each minute is what they saw', async () => {
  const told: string[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    isDown = minute >= OUTAGE.from && minute < OUTAGE.to;
    await live();
    const is = truth();
    const { steps, attention, incidents } = await overview();
    const { waiting, failingSubscriptions, held, failedDeliveries } = attention;
    const at = `minute ${String(minute)}`;
    expect(sum(steps.flatMap(({ attempts }) => Object.values(attempts))), `${at}: attempts`).toBe(is.attempts);
    expect(sum(steps.map(({ attempts }) => attempts['2xx'])), `${at}: succeeded`).toBe(is.succeeded);
    expect(sum(steps.map(({ deliveries }) => deliveries.delivered)), `${at}: delivered`).toBe(is.delivered);
    expect(waiting, at).toMatchObject({ count: is.waiting, isComplete: true });
    expect(waiting.oldest?.secondsOld ?? null, `${at}: oldest`).toBe(is.oldestSeconds);
    expect(failedDeliveries.count, `${at}: failed for good`).toBe(0);
    const { items } = failingSubscriptions;
    expect(items.map(({ url }) => url).sort(), `${at}: failing`).toEqual([...is.failing].sort());
    for (const { url, waiting: theirs } of items) expect(theirs.count, `${at}: ${url}`).toBe(is.waitingFor(url));
    // Behind an open breaker nothing else waits than what it holds.
    const paused = items.filter(({ health }) => health.breaker !== 'closed').map(({ url }) => url);
    expect(sum(held.map(({ count }) => count)), `${at}: held`).toBe(sum(paused.map(is.waitingFor)));
    const open = incidents.filter(({ endedAt }) => endedAt === null);
    told.push(`${String(items.length)} fail, ${String(paused.length)} paused, ${open.length > 0 ? 'incidents' : 'no incident'}`);
    ports.clock.advance(1);
  }
  // The overview before the outage, during it, and after the receivers were back.
  expect(told.slice(0, OUTAGE.from)).toEqual(Array<string>(OUTAGE.from).fill('0 fail, 0 paused, no incident'));
  expect(told[OUTAGE.to - 1]).toBe(`${String(STOPPED)} fail, ${String(STOPPED)} paused, incidents`);
  expect(told.at(-1)).toBe('0 fail, 0 paused, no incident');
  expect(truth().waiting).toBe(0);
});
