import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { toExpress } from '../../clients/typescript/src/express.ts';
import { Tenon, type AnyEvent, type TenonEvent } from '../../clients/typescript/src/index.ts';
import { receiver } from '../../clients/typescript/src/webhooks.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { imageOf } from '../support/image-server.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';
import { allEnded } from '../support/webhooks.ts';

const PRODUCTS = 300;

describe('tenon-client against a Tenon', () => {
  let app: OpenApp;
  let shop: TestApp;
  let tenon: Tenon;
  let ids: string[];
  let images: Receiver;
  const own = { store: '', clientId: '', clientSecret: '' };
  beforeAll(async () => {
    app = await openApp();
    images = await startReceiver();
    images.answer(respond(200, await imageOf('png')));
    // A name below localhost is looked up in no DNS.
    const store = await app.aStore('client.localhost');
    shop = await app.anApp(store);
    Object.assign(own, { ...shop, store: `http://client.localhost:${new URL(app.url).port}` });
    tenon = new Tenon(own);
    const documents = Array.from({ length: PRODUCTS }, (_, n) => ({ name: `Saw ${String(n)}`, slug: `saw-${String(n)}` }));
    ids = await app.importProducts(store, documents);
  });
  afterAll(async () => {
    await app.close();
    await images.close();
  });

  const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const list: T[] = [];
    for await (const item of items) list.push(item);
    return list;
  };
  const record = (type: string, data: object) =>
    app.admin('post', `/admin/stores/${shop.store.id}/events`).send({ type, data }).expect(202);

  it('lists all products, also with a filter', async () => {
    expect((await all(tenon.products.list())).map(({ id }) => id)).toEqual(ids);
    expect((await all(tenon.products.list({ q: 'saw 29' }))).map(({ name }) => name)).toContain('Saw 299');
  });

  it('misses none when products are deleted meanwhile', async () => {
    const others = await app.importProducts(
      shop.store,
      Array.from({ length: 300 }, (_, n) => ({ name: `Gone ${String(n)}` })),
    );
    const gone = new Set(others.filter((id) => !ids.includes(id)).slice(0, 20));
    const found: string[] = [];
    for await (const { id } of tenon.products.list()) {
      found.push(id);
      if (found.length !== 500) continue;
      for (const one of gone) await app.admin('delete', `/admin/stores/${shop.store.id}/products/${one}`).expect(204);
    }
    expect(found).toEqual(others);
  });

  it('reads a product, and again only when it has changed', async () => {
    const { product, etag } = await tenon.products.get(ids[0]!);
    expect(product.name).toBe('Saw 0');
    expect(await tenon.products.get(product.id, { etag })).toBeNull();
    await all(tenon.products.bulkUpdate([{ id: product.id, metaTitle: 'New' }], { key: randomUUID() }));
    expect((await tenon.products.get(product.id, { etag }))?.product.metaTitle).toBe('New');
    await expect(tenon.products.get(randomUUID())).rejects.toMatchObject({ status: 404, code: 'not_found', attempts: 1 });
  });

  it('finds variants, and changes their stock once', async () => {
    await app.importProducts(shop.store, [
      { name: 'Rasp', variants: [{ sku: 'RASP', currency: 'EUR', inventory: [{ available: 5 }] }] },
    ]);
    const run = () => all(tenon.variants.bulkUpdate([{ sku: 'RASP', price: 7, stock: [{ adjust: -2 }] }], { key: 'sold' }));
    expect([...(await run()), ...(await run())].map(({ status, replayed }) => [status, replayed])).toEqual([
      ['Updated', false],
      ['Updated', true],
    ]);
    const [variant] = await all(tenon.variants.bySku(['RASP']));
    expect(variant).toMatchObject({ price: 7, inventory: [{ available: 3 }] });
    expect(await all(tenon.variants.byId([variant?.id ?? '']))).toEqual([variant]);
    const stale = all(tenon.variants.bulkUpdate([{ sku: 'RASP', stock: [{ set: 9, ifAvailable: 5 }] }], { key: 'set' }));
    expect(await stale).toMatchObject([{ errorCode: 'stale', stock: [{ available: 3 }] }]);
  });

  it('exports every product, and knows where the feed continues', async () => {
    const { feed, products } = await tenon.products.export();
    const exported = await all(products);
    expect(exported.map(({ product }) => product.id)).toEqual((await all(tenon.products.list())).map(({ id }) => id));
    const rest = await tenon.products.export({ after: exported[1]?.after });
    expect(await all(rest.products)).toEqual(exported.slice(2));
    await expect(tenon.events.page({ after: feed })).resolves.toHaveProperty('next');
  });

  it('updates in bulk, and gets the same answer when it runs again with the same key', async () => {
    const changes = ids.map((id) => ({ id, metaDescription: 'Filed by hand' }));
    const run = () => all(tenon.products.bulkUpdate(changes, { key: 'tidy' }));
    const [first, second] = [await run(), await run()];
    expect(first.map(({ id, status, replayed }) => [id, status, replayed])).toEqual(ids.map((id) => [id, 'Updated', false]));
    expect(second).toEqual(first.map((result) => ({ ...result, replayed: true })));
    const other = all(tenon.products.bulkUpdate(changes.slice(1), { key: 'tidy' }));
    await expect(other).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused', attempts: 1 });
  });

  it("reads a collection's products", async () => {
    const collection = randomUUID();
    const path = `/admin/stores/${shop.store.id}/collections/${collection}`;
    await app.admin('put', path).send({ title: 'All', productIds: ids.toReversed() }).expect(200);
    expect(await all(tenon.collections.productIds(collection))).toEqual(ids.toReversed());
  });

  it('writes an entry, and gets its faults by their fields', async () => {
    const definition = { name: 'Note', fields: [{ key: 'title', type: 'single_line_text' }] };
    await app.admin('put', `/admin/stores/${shop.store.id}/metaobject-definitions/note`).send(definition).expect(200);
    expect((await tenon.metaobjects.put('note', 'first', { fields: { title: 'One' } })).handle).toBe('first');
    await expect(tenon.metaobjects.put('note', 'first', { fields: { title: 1 } })).rejects.toMatchObject({
      code: 'invalid',
      errors: { 'fields.title': [expect.any(String)] },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('reads, replaces and deletes its entries, only if they are still the same', async () => {
    const fields = [
      { key: 'title', type: 'single_line_text' },
      { key: 'of', type: 'product_reference' },
    ];
    await app
      .admin('put', `/admin/stores/${shop.store.id}/metaobject-definitions/look`)
      .send({ name: 'Look', fields })
      .expect(200);
    const [saw] = ids;
    await tenon.metaobjects.put('look', 'none', { fields: { title: 'None' } });
    const made = await tenon.metaobjects.put('look', 'saws', { fields: { of: saw } });
    expect((await all(tenon.metaobjects.list('look'))).map(({ handle }) => handle)).toEqual(['none', 'saws']);
    expect((await all(tenon.metaobjects.list('look', { product: saw }))).map(({ handle }) => handle)).toEqual(['saws']);
    const { entry, etag } = await tenon.metaobjects.get('look', 'saws');
    expect([entry.fields, etag]).toEqual([{ of: saw }, made.etag]);
    const changed = await tenon.metaobjects.put('look', 'saws', { fields: { title: 'Saws', of: saw } }, { ifMatch: etag });
    const stale = { status: 412, code: 'precondition_failed' };
    await expect(tenon.metaobjects.put('look', 'saws', { fields: {} }, { ifMatch: etag })).rejects.toMatchObject(stale);
    await expect(tenon.metaobjects.put('look', 'saws', { fields: {} }, { createOnly: true })).rejects.toMatchObject(stale);
    await expect(tenon.metaobjects.delete('look', 'saws', { ifMatch: etag })).rejects.toMatchObject(stale);
    await tenon.metaobjects.delete('look', 'saws', { ifMatch: changed.etag });
    await expect(tenon.metaobjects.get('look', 'saws')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('imports images to the end', async () => {
    const items = [{ sourceUrl: `${images.url}/saw.png`, productId: ids[0]! }];
    const run = tenon.media.import(items, { key: 'images' });
    expect((await run.completed()).items).toMatchObject([{ status: 'Ready' }]);
    expect((await tenon.media.import(items, { key: 'images' })).importId).toBe((await run).importId);
  });

  it('subscribes, receives, reads the log of its deliveries and has one sent again', async () => {
    const received: (TenonEvent | AnyEvent)[] = [];
    let failures = 1;
    const hooks = receiver({ secrets: [undefined, shop.signingSecret], onError: () => undefined })
      .on('order.paid', (event) => {
        received.push(event);
        if (failures-- > 0) throw new Error('not yet');
      })
      .otherwise((event) => received.push(event));
    const handle = toExpress(hooks);
    const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;

    const { id } = await tenon.subscriptions.create({ url, eventTypes: ['order.paid'] });
    expect((await tenon.subscriptions.list()).map((one) => one.id)).toEqual([id]);
    await tenon.subscriptions.ping(id);
    await record('order.paid', { id: 'o-1', total: 5 });
    const [failed] = await eventually(async () => {
      const list = await all(tenon.deliveries.list({ types: ['order.paid'] }));
      expect(list).toMatchObject([{ attempts: 1, error: 'http_5xx' }]);
      return list;
    });
    expect((await tenon.deliveries.get(failed!.id)).log).toMatchObject([{ status: 500, response: 'The handler failed.' }]);
    await tenon.deliveries.redeliver(failed!.id);
    await allEnded(app.database);
    expect(received.map(({ type }) => type).sort()).toEqual(['order.paid', 'order.paid', 'ping', 'ping']);
    await tenon.subscriptions.delete(id);
    expect(await tenon.subscriptions.list()).toEqual([]);
    server.close();
  });

  it('follows the feed from a cursor it saved, and waits for what comes', async () => {
    const { next } = await tenon.events.page({ after: 'latest' });
    await record('order.shipped', { id: 'o-2' });
    const cursors: string[] = [];
    const caughtUp = tenon.events.follow({ after: next, wait: 0, types: ['order.*'], save: (cursor) => cursors.push(cursor) });
    await allEnded(app.database);
    const [shipped, ...others] = await all(caughtUp);
    expect([shipped?.type, others]).toEqual(['order.shipped', []]);
    expect(await tenon.events.get(shipped!.id)).toEqual(shipped);
    const followed = tenon.events.follow({ after: cursors.at(-1), wait: 5 });
    const waiting = followed.next();
    await record('order.refunded', { id: 'o-2' });
    expect((await waiting).value).toMatchObject({ type: 'order.refunded', data: { id: 'o-2' } });
    await followed.return();
  });

  it('renews a token that was revoked, and ends when the app is uninstalled', async () => {
    await app.admin('post', `/admin/apps/${shop.id}/revoke-tokens`).expect(204);
    expect((await tenon.products.get(ids[0]!)).product.id).toBe(ids[0]);
    await app.admin('post', `/admin/apps/${shop.id}/uninstall`).expect(204);
    await expect(tenon.products.get(ids[0]!)).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
