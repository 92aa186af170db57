import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { formatFirstCursor } from '../../src/domain/webhooks/feed-cursor.ts';
import type { EventFeed } from '../../src/domain/ports/webhooks/event-feed.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { allEnded } from '../support/webhooks.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}
interface Page {
  readonly items: readonly Event[];
  readonly next: string;
  readonly more: boolean;
}

let app: OpenApp;
let feed: EventFeed;
let store: TestStore;
let shop: TestApp;
let token: string;

beforeAll(async () => {
  app = await openApp();
  feed = app.container.resolve(TOKENS.ports).eventFeed;
});
afterAll(() => app.close());
beforeEach(async () => {
  store = await app.aStore();
  shop = await app.anApp(store);
  token = await app.token(shop);
});

const get = (query = '', bearer = token, domain = store.domain): Test => app.api(domain, bearer)('get', `/apps/events${query}`);
const read = async (query = '', bearer = token): Promise<Page> => (await get(query, bearer).expect(200)).body as Page;
const record = async (...types: string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const type of types) {
    const sent = app.admin('post', `/admin/stores/${store.id}/events`).send({ type, data: { id: 'o-1' } });
    ids.push(((await sent.expect(202)).body as { eventId: string }).eventId);
  }
  await allEnded(app.database);
  return ids;
};
const idsOf = ({ items }: Page): string[] => items.map(({ id }) => id);
/** Moves the placement of the events this many days back. */
const age = (days: number) =>
  app.database.query(`UPDATE feed SET placed_at = placed_at - make_interval(days => $2) WHERE store_id = $1`, [store.id, days]);

describe('GET /apps/events', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  it('200 with the events since the installation in their order, byte for byte as the webhook', async () => {
    const wanted = { url: receiver.url, eventTypes: ['order.paid', 'order.shipped'] };
    await app.api(store.domain, token)('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    const ids = await record('order.paid', 'order.shipped', 'order.paid');
    const answer = await get().expect(200);
    expect(idsOf(answer.body as Page)).toEqual(ids);
    const bodies = ids.map((id) => receiver.received.find(({ headers }) => headers['webhook-id'] === id)?.body.toString());
    expect(answer.text.startsWith(`{"items":[${bodies.join(',')}],"next":"`)).toBe(true);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('200 page by page: next passes what was returned, and more says whether to ask at once', async () => {
    const ids = await record('order.paid', 'order.shipped', 'order.created');
    const first = await read('?take=2');
    expect([idsOf(first), first.more]).toEqual([ids.slice(0, 2), true]);
    const second = await read(`?take=2&after=${first.next}`);
    expect([idsOf(second), second.more]).toEqual([ids.slice(2), false]);
    expect(await read(`?after=${second.next}`)).toEqual({ items: [], next: expect.any(String) as string, more: false });
    expect(first.next).toMatch(/^[\w-]+$/);
  });

  it('200 with next alone for latest', async () => {
    await record('order.paid');
    const { items, next, more } = await read('?after=latest');
    expect([items, more]).toEqual([[], false]);
    const ids = await record('order.shipped');
    expect(idsOf(await read(`?after=${next}`))).toEqual(ids);
  });

  it('200 with the named types alone; product.* is every type of products', async () => {
    await app.importProducts(store, [{ name: 'Plane' }]);
    const [paid, shipped] = await record('order.paid', 'order.shipped', 'order.created');
    expect(idsOf(await read('?types=order.paid&types=ORDER.SHIPPED'))).toEqual([paid, shipped]);
    expect((await read('?types=product.*')).items).toMatchObject([{ type: 'product.created' }]);
    expect((await read('?types=order.*&types=product.created')).items).toHaveLength(4);
    const page = await read('?types=collection.*');
    expect([page.items, idsOf(await read(`?after=${page.next}`))]).toEqual([[], []]);
  });

  it('200 with what the present scopes allow; a scope that is gained later does not bring back what was passed', async () => {
    const other = await app.anApp(store, ['read_products']);
    const bearer = await app.token(other);
    await record('order.paid');
    const page = await read('', bearer);
    expect(page.items).toEqual([]);
    await app
      .admin('patch', `/admin/apps/${other.id}`)
      .send({ scopes: ['read_orders'] })
      .expect(200);
    expect((await read(`?after=${page.next}`, bearer)).items).toEqual([]);
    expect((await read('', bearer)).items).toHaveLength(1);
    const none = await app.token(await app.anApp(store, ['read_webhooks']));
    expect(await read('', none)).toMatchObject({ items: [], more: false });
  });

  it("200 without another app's entries and imports, pings and uninstallations", async () => {
    const note = { name: 'Note', fields: [{ key: 'title', type: 'single_line_text' }] };
    await app.admin('put', `/admin/stores/${store.id}/metaobject-definitions/note`).send(note).expect(200);
    const other = await app.anApp(store);
    const entry = app.api(store.domain, await app.token(other))('put', '/custom-data/metaobjects/note/entries/one');
    await entry.send({ fields: { title: 'theirs' } }).expect(200);
    await app.admin('post', `/admin/apps/${other.id}/uninstall`).expect(204);
    await allEnded(app.database);
    expect((await read()).items).toEqual([]);
    const { body } = await app.admin('get', `/admin/stores/${store.id}/events`).expect(200);
    expect((body as Page).items.map(({ type }) => type)).toEqual(['metaobject.created', 'app.uninstalled']);
  });

  it.each([
    ['after=broken', /^after must be/],
    ['after=', /^after must be/],
    [`after=${'x'.repeat(256)}`, /^after: /],
    ['types=order.lost', /^Unknown event type: order.lost/],
    ['types=lost.*', /^Unknown event type: lost/],
    ['types=app.uninstalled', /^Unknown event type: app.uninstalled/],
    ['types=', /^Unknown event type/],
    [Array.from({ length: 101 }, () => 'types=order.paid').join('&'), /^types: /],
    ['wait=26', /^wait: /],
    ['wait=-1', /^wait: /],
    ['wait=soon', /^wait: /],
    ['wait=1&wait=2', /^wait: /],
    ['after=%00', /^after/],
  ])('400 {error} for %s', async (query, message) => {
    const { body } = await get(`?${query}`).expect(400);
    expect(body).toEqual({ error: expect.stringMatching(message) as string });
  });

  it('400 for a cursor of another store, and for one with a changed character', async () => {
    const { next } = await read();
    const other = await app.aStore();
    const bearer = await app.token(await app.anApp(other));
    expect((await get(`?after=${next}`, bearer, other.domain).expect(400)).body).toHaveProperty('error');
    const changed = `${next.slice(0, -1)}${next.endsWith('A') ? 'B' : 'A'}`;
    await get(`?after=${changed}`).expect(400);
  });

  it.each(['', 'take=0', 'take=-1', 'take=many', 'take=999', 'take=1&take=2'])(
    '200 for a take as other lists have it: %s',
    async (query) => {
      await record('order.paid');
      expect((await read(`?${query}`)).items).toHaveLength(1);
    },
  );

  it('410 {error, code, oldest} for a cursor whose events are purged; the walk continues at oldest', async () => {
    const { next } = await read();
    await record('order.paid');
    await age(40);
    const [later] = await record('order.shipped');
    while ((await feed.purge(30, 100)) > 0);
    const { body } = await get(`?after=${next}`).expect(410);
    expect(body).toEqual({
      error: expect.any(String) as string,
      code: 'cursor_expired',
      oldest: expect.any(String) as string,
      reason: 'not_kept',
    });
    expect(idsOf(await read(`?after=${(body as { oldest: string }).oldest}`))).toEqual([later]);
    expect(idsOf(await read())).toEqual([later]);
    const problem = await app.admin('get', `/admin/stores/${store.id}/events?after=${next}`).expect(410);
    expect(problem.body).toMatchObject({ status: 410, code: 'cursor_expired', oldest: expect.any(String) as string });
  });

  it('410 for a cursor beyond the newest event, which a restored database does not know', async () => {
    await record('order.paid');
    const { next } = await read();
    await app.database.query('DELETE FROM feed WHERE store_id = $1', [store.id]);
    await app.database.query('UPDATE feed_heads SET head = 0 WHERE store_id = $1', [store.id]);
    const { body } = await get(`?after=${next}`).expect(410);
    expect(body).toMatchObject({
      code: 'cursor_expired',
      reason: 'history_changed',
      error: expect.stringMatching(/lost events/) as string,
    });
  });

  it('200 for a cursor of the first version, of this store alone, and 410 behind the last one that was given out', async () => {
    const [, second] = await record('order.paid', 'order.shipped');
    const forged = await get(`?after=${formatFirstCursor(store.id, 1)}`).expect(410);
    expect(forged.body).toMatchObject({ reason: 'history_changed' });
    await app.database.query('UPDATE feed_heads SET first_cursors = 1 WHERE store_id = $1', [store.id]);
    expect(idsOf(await read(`?after=${formatFirstCursor(store.id, 1)}`))).toEqual([second]);
    await get(`?after=${formatFirstCursor(shop.id, 1)}`).expect(400);
  });

  it('tells nothing of what the app may not see: no cursor is like another', async () => {
    const weak = await app.token(await app.anApp(store, ['read_products']));
    const cursors = [await read('?after=latest', weak), await read('?after=latest', weak)];
    await record('order.paid');
    cursors.push(await read('?after=latest', weak));
    expect(new Set(cursors.map(({ next }) => next)).size).toBe(3);
    expect(new Set(cursors.map(({ next }) => next.length)).size).toBe(1);
    for (const { next } of cursors)
      expect(atob(next.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain(store.id.replaceAll('-', ''));
  });
});

describe('GET /apps/events/{id}', () => {
  const one = (id: string, bearer = token): Test => app.api(store.domain, bearer)('get', `/apps/events/${id}`);

  it('200 with the same bytes as in the feed', async () => {
    const [id = ''] = await record('order.paid');
    const { text } = await one(id).expect(200);
    expect((await get().expect(200)).text).toContain(`{"items":[${text}],`);
  });

  it('200 with all the data where the webhook has only the id', async () => {
    const data = { id: 'o-1', note: 'ä'.repeat(200_000) };
    const sent = app.admin('post', `/admin/stores/${store.id}/events`).send({ type: 'order.paid', data });
    const { eventId } = (await sent.expect(202)).body as { eventId: string };
    await allEnded(app.database);
    expect((await one(eventId).expect(200)).body).toMatchObject({ id: eventId, type: 'order.paid', data });
    expect((await read()).items[0]?.data).toEqual({ id: 'o-1' });
  });

  it('404 for an event that the app may not see: of another type, store or app, a ping, or unknown', async () => {
    const [id = ''] = await record('order.paid');
    const weak = await app.token(await app.anApp(store, ['read_products']));
    await one(id, weak).expect(404);
    await one(randomUUID()).expect(404);
    await one('not-a-uuid').expect(404);
    const other = await app.aStore();
    const away = await app.token(await app.anApp(other));
    await app.api(other.domain, away)('get', `/apps/events/${id}`).expect(404);
    const later = await app.token(await app.anApp(store));
    await one(id, later).expect(404);
    await app.database.query(`UPDATE events SET type = 'ping' WHERE id = $1`, [id]);
    await one(id).expect(404);
  });
});

describe("the merchant's feed", () => {
  const base = (): string => `/admin/stores/${store.id}/events`;
  const list = async (query = ''): Promise<Page> => (await app.admin('get', `${base()}${query}`).expect(200)).body as Page;

  it('200 with every event, narrowed by types, resource and time', async () => {
    const [first, second] = await record('order.paid', 'order.shipped');
    await app.importProducts(store, [{ name: 'Plane' }]);
    await allEnded(app.database);
    const all = await list();
    expect(idsOf(all).slice(0, 2)).toEqual([first, second]);
    expect(all.items[2]).toMatchObject({ type: 'product.created' });
    expect(idsOf(await list('?types=order.*'))).toEqual([first, second]);
    expect(idsOf(await list('?resourceId=o-1&take=1'))).toEqual([first]);
    expect((await list('?since=2999-01-01T00:00:00Z')).items).toEqual([]);
    expect((await list('?since=2020-01-01T00:00:00Z')).items).toHaveLength(3);
    expect(await list(`?after=${all.next}`)).toEqual({ items: [], next: expect.any(String) as string, more: false });
  });

  it('200 newest first, page by page, narrowed by types, resource and time', async () => {
    const ids = await record('order.paid', 'order.shipped', 'order.created');
    const first = await list('?order=newest&take=2');
    expect([idsOf(first), first.more]).toEqual([[ids[2], ids[1]], true]);
    const second = await list(`?order=newest&take=2&after=${first.next}`);
    expect([idsOf(second), second.more]).toEqual([[ids[0]], false]);
    expect(await list(`?order=newest&after=${second.next}`)).toEqual({
      items: [],
      next: expect.any(String) as string,
      more: false,
    });
    expect(idsOf(await list('?order=newest&after=latest&take=1'))).toEqual([ids[2]]);
    expect(idsOf(await list('?order=newest&types=order.paid&types=order.shipped&resourceId=o-1'))).toEqual([ids[1], ids[0]]);
    expect(idsOf(await list('?order=newest&since=2020-01-01T00:00:00Z&until=2999-01-01T00:00:00Z'))).toHaveLength(3);
    expect(idsOf(await list('?order=newest&until=2020-01-01T00:00:00Z'))).toEqual([]);
    expect(idsOf(await list('?until=2020-01-01T00:00:00Z'))).toEqual([]);
    expect(idsOf(await list('?order=oldest'))).toEqual(ids);
  });

  it('200 newest first does not show an event of another store, and refuses its cursor', async () => {
    await record('order.paid');
    const { next } = await list('?order=newest');
    const other = `/admin/stores/${(await app.aStore()).id}/events?order=newest`;
    expect((await app.admin('get', other).expect(200)).body).toMatchObject({ items: [], more: false });
    await app.admin('get', `${other}&after=${next}`).expect(400);
    await app.admin('get', `/admin/stores/${randomUUID()}/events?order=newest`).expect(404);
  });

  it('200 with the request that caused an event, and its deliveries', async () => {
    const receiver = await startReceiver();
    const wanted = { url: receiver.url, eventTypes: ['order.paid'] };
    await app.api(store.domain, token)('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    const recorded = await app
      .admin('post', base())
      .send({ type: 'order.paid', data: { id: 'o-7' } })
      .expect(202);
    const { eventId } = recorded.body as { eventId: string };
    await allEnded(app.database);
    const { body } = await app.admin('get', `${base()}/${eventId}`).expect(200);
    expect(body).toMatchObject({
      id: eventId,
      type: 'order.paid',
      storeId: store.id,
      data: { id: 'o-7' },
      resourceId: 'o-7',
      installationId: null,
      requestId: recorded.headers['x-request-id'],
      deliveries: [{ eventId, installationId: shop.id, status: 'Delivered' }],
    });
    await receiver.close();
  });

  it.each([
    'types=lost',
    'since=yesterday',
    'until=x',
    'after=broken',
    'order=up',
    'order=newest&order=newest',
    'order=newest&after=x',
  ])('400 for %s', async (query) => {
    await app.admin('get', `${base()}?${query}`).expect(400);
  });

  it('404 for an unknown store or event, and for an event of another store', async () => {
    const [id = ''] = await record('order.paid');
    await app.admin('get', `/admin/stores/${randomUUID()}/events`).expect(404);
    await app.admin('get', `${base()}/${randomUUID()}`).expect(404);
    await app.admin('get', `/admin/stores/${(await app.aStore()).id}/events/${id}`).expect(404);
  });
});
