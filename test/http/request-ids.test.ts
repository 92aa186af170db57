import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Test } from 'supertest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

describe('the X-Request-Id of a request that writes', () => {
  let server: OpenApp;
  let store: TestStore;
  let app: TestApp;
  let product: string;
  let token: string;
  beforeAll(async () => {
    // Nothing is imported here, so the import stays as the request left it.
    server = await openApp({ ROLE: 'api' });
    store = await server.aStore();
    app = await server.anApp(store);
    token = await server.token(app);
    [product = ''] = await server.importProducts(store, [{ name: 'Saw', variants: [{ sku: 'S', currency: 'EUR' }] }]);
  });
  afterAll(() => server.close());

  const post = (path: string, body: object, key: string): Test =>
    server.api(store.domain, token)('post', path).set('Idempotency-Key', key).send(body);
  const idOf = async (request: Test, status: number): Promise<string> => {
    const answer = await request;
    expect(answer.status).toBe(status);
    return answer.headers['x-request-id'] ?? '';
  };
  const requestsOf = async (type: string): Promise<(string | null)[]> => {
    const text = 'SELECT request_id AS "requestId" FROM events WHERE store_id = $1 AND type = $2 ORDER BY id';
    return (await server.database.query<{ requestId: string | null }>(text, [store.id, type])).map(({ requestId }) => requestId);
  };

  it('is kept with the events of a bulk update, once for a replay', async () => {
    const body = { products: [{ id: product, name: 'Dovetail saw' }] };
    const first = await idOf(post('/apps/catalog/products/bulk', body, 'bulk'), 200);
    const replay = await idOf(post('/apps/catalog/products/bulk', body, 'bulk'), 200);
    expect(replay).not.toBe(first);
    expect(await requestsOf('product.updated')).toEqual([first]);
  });

  it("is kept with the events of the merchant's write", async () => {
    const put = server.admin('put', `/admin/stores/${store.id}/collections/${product}`).send({ title: 'Saws', productIds: [] });
    expect(await requestsOf('collection.created')).toEqual([]);
    expect([await idOf(put, 200)]).toEqual(await requestsOf('collection.created'));
  });

  it('is kept with a ping, also with the one of a new subscription', async () => {
    const wanted = { url: 'https://hooks.example.com/tenon', eventTypes: ['product.updated'] };
    const subscribing = server.api(store.domain, token)('post', '/apps/webhooks/subscriptions').send(wanted);
    const subscribed = await idOf(subscribing, 200);
    const { id } = (await subscribing).body as { id: string };
    const pinged = await idOf(server.admin('post', `/admin/subscriptions/${id}/ping`), 202);
    expect(await requestsOf('ping')).toEqual([subscribed, pinged]);
  });

  it('is kept with an import of images', async () => {
    const items = [{ sourceUrl: 'https://images.example.com/saw.jpg', productId: product }];
    const id = await idOf(post('/apps/media/imports', { items }, 'import'), 202);
    const rows = await server.database.query('SELECT request_id AS "requestId" FROM media_imports', []);
    expect(rows).toEqual([{ requestId: id }]);
  });

  it('is another one for each request', async () => {
    const list = (): Test => server.api(store.domain, token)('get', '/apps/catalog/products');
    expect(await idOf(list(), 200)).not.toBe(await idOf(list(), 200));
  });
});
