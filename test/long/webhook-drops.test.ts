import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, verified, type Receiver, type Received } from '../support/receiver.ts';
import {
  anApp,
  aStoreWithApp,
  asAdmin,
  call,
  startProcess,
  type Answer,
  type ServerProcess,
  type StoreWithApp,
} from '../support/server.ts';
import {
  allEnded,
  arrivalsOf,
  pay,
  payMany,
  statusesOf,
  subscribe,
  subscribeMerchant,
  type MerchantSubscription,
} from '../support/webhooks.ts';

const APPS = 100;
const QUEUED = 100;

let database: TestDatabase;
let receiver: Receiver;
let api: ServerProcess;
let workers: ServerProcess[];

beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
  const start = (ROLE: string) => startProcess({ databaseUrl: database.url, env: { ROLE } });
  [api, ...workers] = [await start('api'), await start('worker'), await start('worker')];
});
afterAll(async () => {
  await Promise.all([api, ...workers].map((server) => server.end()));
  await receiver.close();
  await database.close();
});

interface App extends StoreWithApp {
  readonly subscriptionId: string;
}

/**
 * Requests so far, pings aside, by their subscription; and a gate that keeps them waiting for their
 * answers.
 */
let arrived: Map<string, number>;
let opened: (() => void)[];
let shut: boolean;

const isPing = ({ body }: Received): boolean => body.includes('"type":"ping"');

beforeEach(() => {
  arrived = new Map();
  opened = [];
  shut = true;
  receiver.answer((response, request) => {
    const subscriptionId = request.headers['webhook-subscription-id'] ?? '';
    const answer = () => response.writeHead(204).end();
    if (isPing(request)) {
      answer();
      return;
    }
    arrived.set(subscriptionId, (arrived.get(subscriptionId) ?? 0) + 1);
    // The merchant's don't wait.
    if (shut && request.path !== '/merchant') opened.push(answer);
    else answer();
  });
});

/** Retries like a client: requests that the pool could not serve in time (503) are sent again. */
const withRetries = async (send: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    expect(answer.headers['retry-after']).toBeDefined();
    await pause(Number(answer.headers['retry-after']) * 1_000);
  }
};

const openGate = (): void => {
  shut = false;
  for (const answer of opened) answer();
};
const countOf = (subscriptionId: string): number => arrived.get(subscriptionId) ?? 0;

/** Waits for requests until it holds. */
const arrivals = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await receiver.next();
};

/**
 * After all of this, an event has arrived at the merchant, so every attempt that could start has
 * started.
 */
const barrier = async (storeId: string, merchant: MerchantSubscription): Promise<void> => {
  const id = await pay(api, storeId);
  for (;;) {
    const request = await receiver.next();
    if (request.headers['webhook-id'] !== id || request.path !== '/merchant') continue;
    verified(request, merchant.signingSecret);
    return;
  }
};

const uninstall = (app: App) => asAdmin(api, 'POST', `/admin/apps/${app.installationId}/uninstall`);
const unsubscribe = (app: App) => call(`${api.url}/apps/webhooks/subscriptions/${app.subscriptionId}`, 'DELETE', app.headers);

describe.each([
  ['uninstalls', uninstall],
  ['DELETEs of subscriptions', unsubscribe],
] as const)('%s', (_, drop) => {
  it('100 at the same time, with 100 queued deliveries each and two workers: no attempt starts after the answer, and no row stays queued', async () => {
    const first = await aStoreWithApp(api, { scopes: ['write_webhooks', 'read_orders'], products: 1 });
    const apps: App[] = [];
    for (let n = 0; n < APPS; n += 1) {
      const app = await anApp(api, first, ['write_webhooks', 'read_orders']);
      apps.push({ ...app, subscriptionId: await subscribe(api, app, receiver.url, 'order.paid') });
    }
    const subscriptions = apps.map((app) => app.subscriptionId);
    await payMany(api, first.storeId, QUEUED);
    const queued = async () => Object.values(await statusesOf(database, subscriptions)).reduce((sum, n) => sum + n, 0);
    await expect.poll(queued, { timeout: 60_000 }).toBe(APPS * QUEUED);
    await arrivals(() => subscriptions.every((id) => countOf(id) > 0));
    const inFlight = opened.length;
    expect(inFlight).toBeGreaterThanOrEqual(APPS);
    const merchant = await subscribeMerchant(api, first.storeId, `${receiver.url}/merchant`, 'order.paid');

    // Deliveries in flight end and the next begin, while all of them are dropped.
    openGate();
    const atAnswer = await Promise.all(
      apps.map(async (app) => {
        const answer = await withRetries(() => drop(app));
        return [answer.status, countOf(app.subscriptionId)] as const;
      }),
    );
    await barrier(first.storeId, merchant);

    expect(atAnswer.map(([status]) => status)).toEqual(apps.map(() => 204));
    expect(subscriptions.map(countOf)).toEqual(atAnswer.map(([, count]) => count));
    const { Dropped = 0, Delivered = 0, ...others } = await statusesOf(database, subscriptions);
    expect(others).toEqual({});
    expect([Dropped > 0, Dropped + Delivered]).toEqual([true, APPS * QUEUED]);
  }, 240_000);
});

it('after a suspension no attempt starts and none is used up; after its end all deliveries arrive as first attempts', async () => {
  const app = await aStoreWithApp(api, { scopes: ['write_webhooks', 'read_orders'], products: 1 });
  const subscriptionId = await subscribe(api, app, receiver.url, 'order.paid');
  const paid = await payMany(api, app.storeId, 20);
  await arrivals(() => countOf(subscriptionId) === 4);
  const merchant = await subscribeMerchant(api, app.storeId, `${receiver.url}/merchant`, 'order.paid');
  const patch = (status: string) => asAdmin(api, 'PATCH', `/admin/apps/${app.installationId}`, { status });
  const list = async () =>
    JSON.parse(
      (await asAdmin(api, 'GET', `/admin/stores/${app.storeId}/deliveries?subscriptionId=${subscriptionId}&status=Waiting`)).body,
    ) as {
      items: { attempts: number }[];
    };

  expect((await patch('Suspended')).status).toBe(200);
  const atAnswer = countOf(subscriptionId);
  expect(atAnswer).toBe(4);
  await barrier(app.storeId, merchant);
  expect(countOf(subscriptionId)).toBe(4);
  const held = await list();
  // The barrier's event is held for the app as well.
  expect([held.items.length, held.items.every(({ attempts }) => attempts === 0)]).toEqual([paid.length + 1, true]);

  shut = false;
  expect((await patch('Installed')).status).toBe(200);
  await allEnded(database);
  const received = receiver.received.filter(({ headers }) => headers['webhook-subscription-id'] === subscriptionId);
  const events = arrivalsOf(received, () => app.signingSecret).of(subscriptionId);
  expect(events.size).toBe(paid.length + 1);
  expect(received.map(({ headers }) => headers['webhook-attempt'])).toEqual(received.map(() => '1'));
  // Deliveries that were in flight come again, the others once.
  expect([...events.values()].map((requests) => requests.length).sort()).toEqual([
    ...Array.from({ length: paid.length - 3 }, () => 1),
    ...Array.from({ length: 4 }, () => 2),
  ]);
});
