import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mediaImportResponse } from '../../src/adapters/http/media/media-imports.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

const PATH = '/apps/media/imports';
const NOWHERE = '019a0000-0000-7000-8000-00000000dead';

describe('POST and GET /apps/media/imports', () => {
  let server: OpenApp;
  let store: TestStore;
  let app: TestApp;
  let token: string;
  let product: string;
  let keys = 0;
  beforeAll(async () => {
    // Nothing is imported here, so the answers show the request.
    server = await openApp({ ROLE: 'api' });
    store = await server.aStore();
    app = await server.anApp(store, ['write_products']);
    token = await server.token(app);
    [product = ''] = await server.importProducts(store, [{ name: 'Saw', variants: [{ sku: 'S', currency: 'EUR' }] }]);
  });
  afterAll(async () => {
    await server.close();
  });
  const post = (body: object, key = `key ${String((keys += 1))}`) =>
    server.api(store.domain, token)('post', PATH).set('Idempotency-Key', key).send(body);
  const get = (id: string) => server.api(store.domain, token)('get', `${PATH}/${id}`);
  const anItem = (over: object = {}) => ({ sourceUrl: 'https://images.example.com/saw.jpg', productId: product, ...over });
  const imports = () => server.database.query('SELECT 1 FROM media_imports');

  it('202 with an import id and pending items; GET shows the same', async () => {
    const { status, body } = await post({ items: [anItem(), anItem({ altText: null, position: '3', aiGenerated: true })] });
    const retry = { retryAt: null, retryReason: null };
    const pending = { status: 'Pending', mediaId: null, error: null, errorCode: null, ...retry };
    expect(status).toBe(202);
    expect(body).toEqual({
      importId: expect.any(String),
      status: 'Queued',
      items: [
        { index: 0, ...pending },
        { index: 1, ...pending },
      ],
    });
    expect(mediaImportResponse.parse(body)).toEqual(body);
    const followed = await get((body as { importId: string }).importId);
    expect([followed.status, followed.body]).toEqual([200, body]);
  });

  it('202, then the replay of the same import; 422 for the key with another body', async () => {
    const before = (await imports()).length;
    const first = await post({ items: [anItem()] }, 'once');
    const again = await post({ items: [anItem()] }, 'once');
    expect([again.status, again.text, again.headers['idempotent-replay']]).toEqual([202, first.text, 'true']);
    expect((await post({ items: [anItem(), anItem()] }, 'once')).status).toBe(422);
    expect(await imports()).toHaveLength(before + 1);
  });

  it('202 for an unknown product and a forbidden address, whose items fail later', async () => {
    const items = [anItem({ productId: NOWHERE }), anItem({ sourceUrl: 'http://10.0.0.1/a.png' })];
    expect((await post({ items })).status).toBe(202);
  });

  it.each<[string, (item: object) => object]>([
    ['no items', () => ({})],
    ['items that are not a list', () => ({ items: {} })],
    ['none', () => ({ items: [] })],
    ['21', (item) => ({ items: Array.from({ length: 21 }, () => item) })],
    ['an item that is not an object', () => ({ items: ['x'] })],
    ['no sourceUrl', (item) => ({ items: [{ ...item, sourceUrl: undefined }] })],
    ['a path', (item) => ({ items: [{ ...item, sourceUrl: '/saw.jpg' }] })],
    ['another scheme', (item) => ({ items: [{ ...item, sourceUrl: 'file:///etc/passwd' }] })],
    ['credentials', (item) => ({ items: [{ ...item, sourceUrl: 'https://a:b@images.example.com/' }] })],
    ['the port of a mail server', (item) => ({ items: [{ ...item, sourceUrl: 'https://cdn.example.com:25/a.png' }] })],
    ['2049 characters', (item) => ({ items: [{ ...item, sourceUrl: `https://x.test/${'a'.repeat(2034)}` }] })],
    ['no productId', (item) => ({ items: [{ ...item, productId: undefined }] })],
    ['a productId that is not a UUID', (item) => ({ items: [{ ...item, productId: 'saw' }] })],
    ['a productVariantId that is not a UUID', (item) => ({ items: [{ ...item, productVariantId: 'saw' }] })],
    ['an altText of 1001 characters', (item) => ({ items: [{ ...item, altText: 'a'.repeat(1001) }] })],
    ['a position that is not an integer', (item) => ({ items: [{ ...item, position: 1.5 }] })],
    ['a position beyond 32 bits', (item) => ({ items: [{ ...item, position: 2 ** 31 }] })],
    ['an aiGenerated that is not a boolean', (item) => ({ items: [{ ...item, aiGenerated: 'yes' }] })],
    ['one bad item of two', (item) => ({ items: [item, { ...item, sourceUrl: 'x' }] })],
  ])('400 {error} for the whole request: %s', async (_what, bodyOf) => {
    const before = (await imports()).length;
    const { status, body } = await post(bodyOf(anItem()));
    expect([status, body]).toEqual([400, { error: expect.stringContaining('items') as string }]);
    expect(await imports()).toHaveLength(before);
  });
});
