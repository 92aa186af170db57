import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { liveFrame } from '../../src/adapters/http/insight/live.ts';
import { domainSubject, type LiveItem } from '../../src/domain/ports/webhooks/live-channel.ts';
import { storeKey } from '../../src/domain/store-key.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { openEventStream, type EventStream } from '../support/event-stream.ts';
import { startReceiver } from '../support/receiver.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';

const KEYS = { SECRET_KEYS: `test:${Buffer.alloc(32, 5).toString('base64')}` };
const AUTHORIZED = { Authorization: `Bearer ${ADMIN_TOKEN}` };

const streams: EventStream[] = [];
const read = async (node: OpenApp, store: TestStore): Promise<EventStream> => {
  const stream = await openEventStream(`${node.adminUrl}/admin/stores/${store.id}/live`, AUTHORIZED);
  streams.push(stream);
  return stream;
};
const leave = (): void => {
  for (const stream of streams.splice(0)) stream.close();
};

const channel = (node: OpenApp) => node.container.resolve(TOKENS.live);
const watched = (node: OpenApp, { id }: TestStore) => expect.poll(() => channel(node).isWatched(storeKey(id)));
const kinds = ({ frames }: EventStream, kind: string) => frames.filter(({ event }) => event === kind).map(({ data }) => data);
const anEvent = (id: string, size = 10): LiveItem => {
  const at = '2026-11-22T21:00:00.000Z';
  return { kind: 'event', id, type: 'order.paid', resourceId: 'x'.repeat(size), requestId: null, at };
};

const order = (node: OpenApp, store: TestStore, id: string) =>
  node
    .admin('post', `/admin/stores/${store.id}/events`)
    .send({ type: 'order.paid', data: { id, secret: 'only-in-the-body' } })
    .expect(202);

/** Two nodes of one installation, and what a reader on one sees of the other. */
const seenFromTheOtherNode = (settings: () => Promise<{ env: Record<string, string>; close: () => Promise<void> }>) => {
  let backing: Awaited<ReturnType<typeof settings>>;
  let a: OpenApp;
  let b: OpenApp;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let store: TestStore;
  let other: TestStore;

  beforeAll(async () => {
    backing = await settings();
    a = await openApp({ ...KEYS, ...backing.env, ROLE: 'api' });
    b = await openApp({ ...KEYS, ...backing.env }, a);
    receiver = await startReceiver();
    [store, other] = [await a.aStore(), await a.aStore()];
    const subscriptions = `/admin/stores/${store.id}/webhooks/subscriptions`;
    await b
      .admin('post', subscriptions)
      .send({ url: receiver.url, eventTypes: ['order.paid'] })
      .expect(200);
  });
  afterEach(leave);
  afterAll(async () => {
    await b.close();
    await a.close();
    await receiver.close();
    await backing.close();
  });

  it('an event, its attempt and an import, each as the schema says and without a body; nothing of another store', async () => {
    const [own, others] = [await read(a, store), await read(a, other)];
    await watched(b, store).toBe(true);
    await watched(b, other).toBe(true);
    const sent = await order(b, store, 'order-1');
    const { eventId } = sent.body as { eventId: string };
    await b.importProducts(store, [{ name: 'Saw' }, { name: 'Plane' }]);
    // The ping of the subscription may be attempted only now.
    const attempts = () => kinds(own, 'attempt').filter((attempt) => attempt['eventId'] === eventId);
    await expect.poll(attempts).toHaveLength(1);
    await expect.poll(() => kinds(own, 'import').at(-1)).toMatchObject({ status: 'Completed' });
    await expect.poll(() => kinds(own, 'event')).toHaveLength(3);

    for (const { event, data } of own.frames) expect([event, liveFrame.parse(data)]).toEqual([data['kind'], data]);
    const requestId = sent.headers['x-request-id'];
    expect(kinds(own, 'event')[0]).toMatchObject({ id: eventId, type: 'order.paid', resourceId: 'order-1', requestId });
    const attempt = { eventId, eventType: 'order.paid', number: 1, status: 204, error: null, outcome: 'delivered' };
    expect(attempts()[0]).toMatchObject({ ...attempt, installationId: null });
    expect(kinds(own, 'import').at(-1)).toMatchObject({
      of: 'products',
      read: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      failed: 0,
      nextLine: null,
    });
    expect(JSON.stringify(own.frames)).not.toContain('only-in-the-body');

    await order(b, other, 'order-2');
    await expect.poll(() => kinds(others, 'event')).toHaveLength(1);
    expect(others.frames.map(({ data }) => data['resourceId'])).toEqual(['order-2']);
    expect(JSON.stringify(own.frames)).not.toContain('order-2');
  });

  it('a refusal of an app by its token, and by the host of the store where no token is valid', async () => {
    const shop = await b.anApp(store, ['read_products']);
    const token = await b.token(shop);
    const [own, others] = [await read(a, store), await read(a, other)];
    await watched(b, store).toBe(true);
    await expect.poll(() => channel(b).isWatched(domainSubject(store.domain))).toBe(true);
    const forbidden = await b.api(store.domain, token)('get', '/apps/webhooks/subscriptions').expect(403);
    await b.api(store.domain, 'no-such-token')('get', '/apps/catalog/products').expect(401);
    await expect.poll(() => kinds(own, 'refusal')).toHaveLength(2);
    for (const { data } of own.frames) expect(liveFrame.parse(data)).toEqual(data);
    const requestId = forbidden.headers['x-request-id'];
    expect(kinds(own, 'refusal')).toMatchObject([
      { requestId, route: 'GET /apps/webhooks/subscriptions', status: 403, check: 'scope', installationId: shop.id },
      { route: 'GET /apps/catalog/products', status: 401, check: 'token', installationId: null },
    ]);
    expect(JSON.stringify(own.frames)).not.toContain('no-such-token');
    await b.api(other.domain, null)('get', '/apps/catalog/products').expect(401);
    await expect.poll(() => kinds(others, 'refusal')).toHaveLength(1);
    expect(kinds(own, 'refusal')).toHaveLength(2);
  });

  it('a node stops to publish when the reader on another node has left', async () => {
    const reader = await read(a, store);
    await watched(b, store).toBe(true);
    reader.close();
    await watched(a, store).toBe(false);
    await watched(b, store).toBe(false);
    expect([channel(a).isIdle(), channel(b).isIdle()]).toEqual([true, true]);
  });
};

describe('a reader sees what another node does, over PostgreSQL', () => {
  seenFromTheOtherNode(async () => ({ env: {}, close: async () => undefined }));
});

describe.skipIf(!redisAvailable)('a reader sees what another node does, over Redis', () => {
  seenFromTheOtherNode(async () => {
    const redis = await startRedis();
    return { env: { REDIS_URL: redis.url }, close: () => redis.stop() };
  });
});

describe('a live stream', () => {
  let app: OpenApp;
  let store: TestStore;
  beforeAll(async () => {
    app = await openApp({ ROLE: 'api' });
    store = await app.aStore();
  });
  afterEach(async () => {
    leave();
    await expect.poll(() => app.container.resolve(TOKENS.liveReaders).count()).toBe(0);
  });
  afterAll(() => app.close());

  const readers = async (): Promise<string | undefined> =>
    /^tenon_live_readers (\d+)$/m.exec((await app.admin('get', '/metrics')).text)?.[1];

  it('begins at once, and no cache or proxy keeps it', async () => {
    const stream = await read(app, store);
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect([stream.headers['cache-control'], stream.headers['x-accel-buffering']]).toEqual(['no-store', 'no']);
    await expect.poll(() => stream.comments).toEqual([': connected']);
  });

  it('needs the admin token and a store that exists, and HEAD opens none', async () => {
    const path = `/admin/stores/${store.id}/live`;
    expect((await openEventStream(`${app.adminUrl}${path}`, {})).status).toBe(401);
    expect((await app.admin('get', `/admin/stores/${randomUUID()}/live`)).status).toBe(404);
    const head = await fetch(`${app.adminUrl}${path}`, { method: 'HEAD', headers: AUTHORIZED });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await expect.poll(() => channel(app).isIdle()).toBe(true);
    expect(await readers()).toBe('0');
  });

  it('while nobody reads, no item leaves the node', async () => {
    const listener = new pg.Client({ connectionString: app.database.url });
    const heard: string[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await listener.connect();
    await listener.query('LISTEN tenon_live_items');
    await order(app, store, 'unseen');
    await listener.query("NOTIFY tenon_live_items, 'the last'");
    await expect.poll(() => heard).toEqual(['the last']);
    await listener.end();
  });

  it('a transaction that is rolled back shows no event', async () => {
    const stream = await read(app, store);
    const { transaction } = app.container.resolve(TOKENS.ports);
    const event = { storeId: store.id, type: 'order.paid', origin: null, data: {} } as const;
    const failed = transaction.run(null, async (tx) => {
      await tx.events.append([{ ...event, resourceId: 'rolled back' }]);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await transaction.run(null, (tx) => tx.events.append([{ ...event, resourceId: 'committed' }]));
    await expect.poll(() => kinds(stream, 'event').map(({ resourceId }) => resourceId)).toEqual(['committed']);
  });

  it('a slow reader learns how many items it missed, and a fast reader misses none', async () => {
    const [slow, fast] = [await read(app, store), await read(app, store)];
    slow.pause();
    let sent = 0;
    const isSlow = () => app.container.resolve(TOKENS.liveReaders).slow() > 0;
    const send = async (count: number) => {
      const items = Array.from({ length: count }, (_, k) => anEvent(String(sent + k), 3_000));
      channel(app).publish(storeKey(store.id), items);
      sent += count;
      await expect.poll(() => fast.frames.length).toBe(sent);
    };
    while (!isSlow()) await send(100);
    await send(100);
    slow.resume();
    await expect.poll(() => kinds(slow, 'dropped')).toHaveLength(1);
    await send(10);
    await expect.poll(() => slow.frames.at(-1)?.data['id']).toBe(String(sent - 1));
    const [{ count } = { count: NaN }] = kinds(slow, 'dropped');
    expect(count).toBeGreaterThanOrEqual(100);
    expect(kinds(slow, 'event').length + Number(count)).toBe(sent);
    const ids = kinds(slow, 'event').map(({ id }) => Number(id));
    const at = slow.frames.findIndex(({ event }) => event === 'dropped');
    expect(ids).toEqual([...Array(at).keys(), ...Array.from({ length: ids.length - at }, (_, k) => at + Number(count) + k)]);
    expect(kinds(fast, 'dropped')).toEqual([]);
  });

  it('what was lost on the way from another node is reported to every reader', async () => {
    const stream = await read(app, store);
    const node = randomUUID();
    const message = JSON.stringify({ node, subject: store.id, dropped: 7, items: [anEvent('after')] });
    await expect
      .poll(async () => {
        await app.database.query('SELECT pg_notify($1, $2)', ['tenon_live_items', message]);
        return kinds(stream, 'dropped').at(0);
      })
      .toEqual({ kind: 'dropped', count: 7 });
  });

  it('reader 201 of a node gets 503, and a place again when another leaves', async () => {
    const all = await Promise.all(Array.from({ length: 200 }, () => read(app, store)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await readers()).toBe('200');
    const refused = await app.admin('get', `/admin/stores/${store.id}/live`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(refused.body).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('200 readers') as string });
    all[0]?.close();
    await expect
      .poll(async () => {
        const again = await read(app, store);
        return again.status;
      })
      .toBe(200);
  });
});

it('a server that stops ends its streams in order, also that of a reader that reads nothing', async () => {
  const app = await openApp({ ROLE: 'api' });
  const store = await app.aStore();
  const [stream, stuck] = [await read(app, store), await read(app, store)];
  stuck.pause();
  let sent = 0;
  while (app.container.resolve(TOKENS.liveReaders).slow() === 0) {
    channel(app).publish(
      storeKey(store.id),
      Array.from({ length: 100 }, (_, k) => anEvent(String(k), 3_000)),
    );
    sent += 100;
    await expect.poll(() => stream.frames.length).toBe(sent);
  }
  const stopped = app.close();
  expect(await stream.ended).toBe('ended');
  stuck.resume();
  expect(await stuck.ended).toBe('cut');
  await stopped;
  expect(app.logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  leave();
});
