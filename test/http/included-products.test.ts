import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

const ID = '019a0000-0000-7000-8000-000000000001';

let server: OpenApp;
let store: TestStore;
let app: TestApp;
let token: string;

beforeAll(async () => {
  server = await openApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  store = await server.aStore();
  app = await server.anApp(store);
  token = await server.token(app);
});

const put = (name: string) =>
  server
    .admin('put', `/admin/stores/${store.id}/products/${ID}`)
    .send({ name, variants: [{ sku: 'SAW', currency: 'EUR', price: 5 }] })
    .expect(200);

interface Page {
  readonly items: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
}
const feed = async (query: string, types = 'product.*') =>
  ((await server.api(store.domain, token)('get', `/apps/events?wait=5&types=${types}&${query}`).expect(200)).body as Page).items;

describe('a feed that is asked for the products', () => {
  it('has each as the detail has it now, and null for one that was deleted', async () => {
    await put('Saw');
    await put('Plane');
    await server
      .admin('post', `/admin/stores/${store.id}/events`)
      .send({ type: 'order.paid', data: { id: 1 } })
      .expect(202);
    const detail = (await server.api(store.domain, token)('get', `/apps/catalog/products/${ID}`).expect(200)).body as object;
    const items = await feed('include=product');
    const updated = items.find(({ type }) => type === 'product.updated');
    expect(updated?.data).toMatchObject({ previous: { name: 'Saw' }, product: detail });
    const [variants] = (await feed('include=product.variants', 'product.updated')).filter(
      ({ type }) => type === 'product.updated',
    );
    expect(Object.keys(variants?.data['product'] as object)).toEqual(['id', 'variants']);
    await server.admin('delete', `/admin/stores/${store.id}/products/${ID}`).expect(204);
    const gone = (await feed('include=product')).find(({ type }) => type === 'product.updated');
    expect(gone?.data).toMatchObject({ previous: { name: 'Saw' }, product: null });
  });
  it('leaves out products of more than 4 MB together', async () => {
    const products = Array.from({ length: 24 }, (_, n) => ({ name: `P ${String(n)}`, description: 'x'.repeat(200_000) }));
    const ids = await server.importProducts(store, products);
    const renamed = ids.map((id, n) => ({ id, name: `Q ${String(n)}` }));
    await server
      .api(store.domain, token)('post', '/apps/catalog/products/bulk')
      .set('Idempotency-Key', 'many')
      .send({ products: renamed })
      .expect(200);
    const items = (await feed('include=product&take=250', 'product.updated')).filter(({ type }) => type === 'product.updated');
    const kept = items.filter(({ data }) => data['product'] !== undefined);
    expect([items.length, kept.length]).toEqual([24, 20]);
    for (const { data } of items) if (data['product'] === undefined) expect(data).toMatchObject({ productOmitted: 'too_large' });
  });
  it('needs read_products', async () => {
    token = await server.token(await server.anApp(store, ['read_orders']));
    const { body } = await server.api(store.domain, token)('get', '/apps/events?include=product').expect(400);
    expect(body).toEqual({ error: 'include: product needs read_products.' });
    await server.api(store.domain, token)('get', '/apps/events?include=order').expect(400);
  });
  it('shows the merchant the products as well, the newest first', async () => {
    await put('Saw');
    await put('Plane');
    await feed('');
    const path = `/admin/stores/${store.id}/events?include=product`;
    for (const order of ['oldest', 'newest']) {
      const { items } = (await server.admin('get', `${path}&order=${order}`).expect(200)).body as Page;
      expect(items.find(({ type }) => type === 'product.updated')?.data).toMatchObject({ product: { name: 'Plane' } });
    }
  });
});

describe('a subscription that includes the product', () => {
  const subscribe = (more: object) =>
    server
      .api(store.domain, token)('post', '/apps/webhooks/subscriptions')
      .send({ url: 'https://hooks.example.com/', ...more });
  it('says so, and needs the scope and an event about products', async () => {
    const { body } = await subscribe({ eventTypes: ['product.updated'], include: ['product'] }).expect(200);
    expect(body).toMatchObject({ include: ['product'] });
    await subscribe({ eventTypes: ['order.paid'], include: ['product'] }).expect(400);
    await subscribe({ eventTypes: ['product.updated'], include: ['order'] }).expect(400);
    token = await server.token(await server.anApp(store, ['read_orders', 'write_webhooks']));
    await subscribe({ eventTypes: ['product.updated'], include: ['product'] }).expect(400);
  });
});
