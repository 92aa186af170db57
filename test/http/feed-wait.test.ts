import { once } from 'node:events';
import { get as request, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { MAX_MERCHANT_WAITING } from '../../src/domain/webhooks/feed.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openCursor } from '../../src/application/webhooks/feed-cursors.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

interface Poll {
  readonly answer: Promise<Answer>;
  leave(): void;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const open = async (settings: Readonly<Record<string, string>> = {}) => {
  const app = await openApp(settings);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await app.close();
    isOpen = false;
  };
  closers.push(close);
  const shop = await app.anApp(await app.aStore());
  const { feedSignal } = app.container.resolve(TOKENS.ports);
  const watch = vi.spyOn(feedSignal, 'watch');
  return { app, shop, token: await app.token(shop), watch, close };
};

/** A request that waits for an event. */
const poll = ({ app, shop, token }: { app: OpenApp; shop: TestApp; token: string }, query = 'wait=25'): Poll => {
  const headers = { Host: shop.store.domain, Authorization: `Bearer ${token}` };
  const sent = request(`${app.url}/apps/events?${query}`, { headers });
  const answer = once(sent, 'response').then(async (given) => {
    const [response] = given as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  });
  answer.catch(() => undefined);
  return { answer, leave: () => sent.destroy() };
};

/** Resolves when this many requests wait. */
const waiting = async ({ watch }: { watch: { mock: { settledResults: readonly { type: string }[] } } }, count: number) =>
  vi.waitUntil(() => watch.mock.settledResults.filter(({ type }) => type === 'fulfilled').length >= count, {
    timeout: 30_000,
    interval: 5,
  });

/** Opens the cursor of a page: its text differs in each answer. */
const opened = ({ app, shop }: { app: OpenApp; shop: TestApp }, page: string | object) => {
  const { next, ...rest } = (typeof page === 'string' ? JSON.parse(page) : page) as { next: string; items: { id: string }[] };
  return { ...rest, next: openCursor(app.container.resolve(TOKENS.ports).secrets, shop.store.id, next) };
};

const pay = async (app: OpenApp, { store }: TestApp): Promise<string> => {
  const sent = app.admin('post', `/admin/stores/${store.id}/events`).send({ type: 'order.paid', data: {} });
  return ((await sent.expect(202)).body as { eventId: string }).eventId;
};

describe('GET /apps/events with wait', () => {
  it('200 as soon as an event comes, and at once when one is there', async () => {
    const node = await open();
    const waits = poll(node);
    await waiting(node, 1);
    const id = await pay(node.app, node.shop);
    const { status, text } = await waits.answer;
    const page = opened(node, text);
    expect([status, page.items.map((item) => item.id)]).toEqual([200, [id]]);
    const again = await poll(node).answer;
    expect([again.status, opened(node, again.text)]).toEqual([200, page]);
    expect(node.watch).toHaveBeenCalledTimes(1);
  });

  it('200 with no items and the same place when the time is over', async () => {
    const node = await open();
    const { next } = (await node.app.api(node.shop.store.domain, node.token)('get', '/apps/events')).body as { next: string };
    const { status, text } = await poll(node, `wait=1&after=${next}`).answer;
    expect([status, opened(node, text)]).toEqual([200, opened(node, { items: [], next, more: false })]);
  });

  it('an event that the app may not see does not end the wait', async () => {
    const node = await open();
    const weak = await node.app.token(await node.app.anApp(node.shop.store, ['read_products']));
    const waits = poll({ ...node, token: weak });
    await waiting(node, 1);
    await pay(node.app, node.shop);
    await node.app.importProducts(node.shop.store, [{ name: 'Plane' }]);
    const { items } = JSON.parse((await waits.answer).text) as { items: { type: string }[] };
    expect(items.map(({ type }) => type)).toEqual(['product.created']);
  });

  it('429 with Retry-After for a third request of the installation, while others are served', async () => {
    const node = await open();
    const waits = [poll(node), poll(node)];
    await waiting(node, 2);
    const { status, headers, text } = await poll(node).answer;
    expect([status, JSON.parse(text)]).toEqual([429, { error: expect.any(String) as string, code: 'rate_limited' }]);
    expect([headers['retry-after'], headers['ratelimit']]).toEqual(['25', expect.stringContaining('"feed-waits";r=0;t=25')]);
    const other = await node.app.token(await node.app.anApp(node.shop.store));
    waits.push(poll({ ...node, token: other }));
    await waiting(node, 4);
    await pay(node.app, node.shop);
    expect((await Promise.all(waits.map(({ answer }) => answer))).map((answer) => answer.status)).toEqual([200, 200, 200]);
  });

  it('a client that leaves makes room for another', async () => {
    const node = await open();
    const leaving = [poll(node), poll(node)];
    await waiting(node, 2);
    for (const { leave } of leaving) leave();
    await vi.waitUntil(() => node.app.logged().filter(({ aborted }) => aborted === true).length === 2, { timeout: 30_000 });
    const waits = poll(node);
    await waiting(node, 3);
    await pay(node.app, node.shop);
    expect(await waits.answer).toMatchObject({ status: 200 });
  });

  it.each<[string, (node: { app: OpenApp; shop: TestApp }) => PromiseLike<unknown>]>([
    ['a suspension', ({ app, shop }) => app.admin('patch', `/admin/apps/${shop.id}`).send({ status: 'Suspended' }).expect(200)],
    ['an uninstallation', ({ app, shop }) => app.admin('post', `/admin/apps/${shop.id}/uninstall`).expect(204)],
    ['a revocation of the tokens', ({ app, shop }) => app.admin('post', `/admin/apps/${shop.id}/revoke-tokens`).expect(204)],
    [
      'the deactivation of the store',
      ({ app, shop }) => app.admin('patch', `/admin/stores/${shop.store.id}`).send({ status: 'Inactive' }).expect(200),
    ],
  ])('401 with an empty body at once after %s', async (_name, end) => {
    const node = await open();
    const waits = poll(node);
    await waiting(node, 1);
    await end(node);
    expect(await waits.answer).toMatchObject({ status: 401, text: '' });
  });

  it('200 at once when the server stops', async () => {
    const node = await open();
    const waits = poll(node);
    await waiting(node, 1);
    const stopped = node.close();
    const { status, text } = await waits.answer;
    expect([status, JSON.parse(text)]).toMatchObject([200, { items: [], more: false }]);
    await stopped;
  });

  it('many requests wait without a connection to the database', async () => {
    const node = await open({ DATABASE_CONNECTIONS: '2' });
    const apps = await Promise.all(Array.from({ length: 20 }, () => node.app.anApp(node.shop.store)));
    const tokens = await Promise.all(apps.map((each) => node.app.token(each)));
    const waits = tokens.map((token) => poll({ ...node, token }));
    await waiting(node, 20);
    const busy = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'tenon node%' AND state <> 'idle'`;
    await vi.waitUntil(async () => (await node.app.database.query(busy)).length === 0, { timeout: 30_000 });
    await pay(node.app, node.shop);
    expect((await Promise.all(waits.map(({ answer }) => answer))).every(({ status }) => status === 200)).toBe(true);
  });
});

describe('GET /admin/stores/{storeId}/events with wait', () => {
  it('200 as soon as an event comes, 400 for a wait that is too long, 429 when too many wait, 200 when the server stops', async () => {
    const node = await open();
    const path = `/admin/stores/${node.shop.store.id}/events`;
    // supertest sends a request when somebody waits for it.
    const ask = (query: string) => node.app.admin('get', `${path}?${query}`).then((answer) => answer);
    const waits = Array.from({ length: MAX_MERCHANT_WAITING }, () => ask('wait=25'));
    await waiting(node, MAX_MERCHANT_WAITING);
    const refused = await ask('wait=25');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '25']);
    const id = await pay(node.app, node.shop);
    const answers = await Promise.all(waits);
    const { items, next } = answers[0]!.body as { items: { id: string }[]; next: string };
    expect([answers.map(({ status }) => status), items.map((item) => item.id)]).toEqual([answers.map(() => 200), [id]]);
    expect((await ask('wait=26')).status).toBe(400);
    const last = ask(`wait=25&after=${next}`);
    await waiting(node, MAX_MERCHANT_WAITING + 2);
    await node.close();
    expect(opened(node, (await last).body as object)).toEqual(opened(node, { items: [], next, more: false }));
  });
});

describe('two nodes', () => {
  const workerWakes = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    const node = await open({ ROLE: 'api', ...settings });
    const worker = await openApp({ ROLE: 'worker', ...settings }, node.app);
    closers.push(() => worker.close());
    const waits = poll(node);
    await waiting(node, 1);
    const id = await pay(node.app, node.shop);
    expect((await waits.answer).text).toContain(id);
  };

  it('the fan-out of a worker ends the wait on another node, with the queue on PostgreSQL', () => workerWakes({}), 60_000);

  it.runIf(redisAvailable)(
    'the fan-out of a worker ends the wait on another node, with the queue on Redis',
    async () => {
      const redis = await startRedis();
      closers.unshift(() => redis.stop());
      await workerWakes({ REDIS_URL: redis.url });
    },
    60_000,
  );
});
