import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bulkResponse } from '../../src/adapters/http/catalogue/bulk-products.ts';
import { productListResponse, productResponse } from '../../src/adapters/http/catalogue/products.ts';
import { collectionProductsResponse } from '../../src/adapters/http/catalogue/collections.ts';
import { entryResponse, ownEntry, ownEntryPage } from '../../src/adapters/http/custom-data/metaobject-entries.ts';
import { subscriptionList, subscriptionResponse } from '../../src/adapters/http/webhooks/subscriptions.ts';
import { tokenResponse } from '../../src/adapters/http/identity/tokens.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestApp, type TestStore, type Verb } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const NOWHERE = '019a0000-0000-7000-8000-00000000dead';
const COLLECTION = '019a0000-0000-7000-8000-00000000c011';
const LIST = '/apps/catalog/products';
const BULK = `${LIST}/bulk`;
const SUBSCRIPTIONS = '/apps/webhooks/subscriptions';

let server: OpenApp;
let store: TestStore;
let app: TestApp;
let token: string;
let products: string[];
const call = (verb: Verb, path: string) => server.api(store.domain, token)(verb, path);

beforeAll(async () => {
  server = await openApp();
  store = await server.aStore('shop.example');
  app = await server.anApp(store);
  token = await server.token(app);
  const documents = Array.from({ length: 60 }, (_, n) => ({
    name: `Product ${String(n)}`,
    slug: `product-${String(n)}`,
    status: n === 0 ? 'Draft' : 'Active',
    tags: n < 3 ? ['few'] : [],
    variants: [{ sku: `SKU-${String(n)}`, currency: 'EUR', price: '12.50', inventory: [{ available: 3 }] }],
  }));
  products = await server.importProducts(store, documents);
  const admin = `/admin/stores/${store.id}`;
  await server.admin('put', `${admin}/collections/${COLLECTION}`).send({ title: 'All', productIds: products }).expect(200);
  const fields = [
    { key: 'title', type: 'single_line_text', required: true },
    { key: 'hex', type: 'color' },
  ];
  await server.admin('put', `${admin}/metaobject-definitions/note`).send({ name: 'Note', fields }).expect(200);
});
afterAll(async () => {
  await server.close();
});

describe('POST /apps/token', () => {
  const form = (fields: Readonly<Record<string, string>> = {}) =>
    new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      ...fields,
    }).toString();
  const post = (body: string, type = 'application/x-www-form-urlencoded', domain = store.domain) =>
    server.api(domain, null)('post', '/apps/token').set('Content-Type', type).send(body);
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

  it('Response 200: the token response, 3600 seconds, no-store, scopes sorted', async () => {
    const answer = await post(form());
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(tokenResponse.strict().parse(answer.body)).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600 });
    const { scope } = answer.body as { scope: string };
    expect(scope).toBe(scope.split(' ').sort().join(' '));
  });

  it('write_orders alone gives read_orders in scope and write_orders in scopeNotYetEnforced', async () => {
    const orders = await server.anApp(store, ['write_orders']);
    const answer = await post(form({ client_id: orders.clientId, client_secret: orders.clientSecret }));
    expect(answer.body).toMatchObject({ scope: 'read_orders', scopeNotYetEnforced: 'write_orders' });
  });

  it('HTTP Basic credentials are accepted too', async () => {
    const answer = await post('grant_type=client_credentials').set('Authorization', basic(app.clientId, app.clientSecret));
    expect(answer.status).toBe(200);
  });

  it.each<[string, () => PromiseLike<{ status: number; text: string; headers: Record<string, string> }>]>([
    ['wrong id', () => post(form({ client_id: 'tnn_ci_nobody' }))],
    ['wrong secret', () => post(form({ client_secret: `${app.clientSecret.slice(0, -1)}_` }))],
    ['bad grant', () => post(form({ grant_type: 'password' }))],
    ['wrong content type', () => post(JSON.stringify({ grant_type: 'client_credentials' }), 'application/json')],
    ['repeated field', () => post(`${form()}&client_id=${app.clientId}`)],
    ['missing field', () => post('grant_type=client_credentials')],
    ['credentials in both places', () => post(form()).set('Authorization', basic(app.clientId, app.clientSecret))],
    ['unknown store', () => post(form(), undefined, 'nowhere.example')],
    ['app not installed on the store of this domain', async () => post(form(), undefined, (await server.aStore()).domain)],
    [
      'app suspended',
      async () => {
        const other = await server.anApp(store);
        await server.admin('patch', `/admin/apps/${other.id}`).send({ status: 'Suspended' }).expect(200);
        return post(form({ client_id: other.clientId, client_secret: other.clientSecret }));
      },
    ],
  ])(
    '401 | POST /apps/token | empty | wrong id or secret, app suspended, or app not installed on the store of this domain: %s',
    async (_what, ask) => {
      const answer = await ask();
      expect([answer.status, answer.text]).toEqual([401, '']);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );
});

describe('401 and 403 on API calls have an empty body', () => {
  const aToken = async () => {
    const own = await server.aStore();
    const other = await server.anApp(own);
    return { own, other, fresh: await server.token(other) };
  };
  it.each<[string, (at: Awaited<ReturnType<typeof aToken>>) => PromiseLike<unknown>]>([
    [
      'token expired',
      ({ other }) =>
        server.database.query("UPDATE access_tokens SET expires_at = now() - interval '1 s' WHERE installation_id = $1::uuid", [
          other.id,
        ]),
    ],
    ['token revoked', ({ other }) => server.admin('post', `/admin/apps/${other.id}/revoke-tokens`).expect(204)],
    ['installation removed', ({ other }) => server.admin('post', `/admin/apps/${other.id}/uninstall`).expect(204)],
    ['app suspended', ({ other }) => server.admin('patch', `/admin/apps/${other.id}`).send({ status: 'Suspended' }).expect(200)],
    ['store not active', ({ own }) => server.admin('patch', `/admin/stores/${own.id}`).send({ status: 'Inactive' }).expect(200)],
  ])(
    '401 | API calls | empty | token expired or revoked, installation removed, or store not active: %s, from the very next request',
    async (_what, end) => {
      const made = await aToken();
      const ask = () => server.api(made.own.domain, made.fresh)('get', LIST);
      expect((await ask()).status).toBe(200);
      await end(made);
      const answer = await ask();
      expect([answer.status, answer.text, answer.headers['www-authenticate']]).toEqual([401, '', 'Bearer']);
    },
  );

  it('401: a PUT of an entry whose app is uninstalled while it holds its body back', async () => {
    const other = await server.anApp(store);
    const body = '{"fields":{"title":"Oak"}}';
    const headers = {
      Host: store.domain,
      Authorization: `Bearer ${await server.token(other)}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    };
    const held = http.request(`${server.url}/custom-data/metaobjects/note/entries/held`, { method: 'PUT', headers });
    const answered = once(held, 'response') as Promise<[http.IncomingMessage]>;
    held.flushHeaders();
    // The body is asked for when the request is admitted.
    await once(held, 'continue');
    await server.admin('post', `/admin/apps/${other.id}/uninstall`).expect(204);
    held.end(body);
    const [answer] = await answered;
    expect([answer.statusCode, await text(answer)]).toEqual([401, '']);
    expect(await server.database.query('SELECT FROM metaobject_entries WHERE installation_id = $1', [other.id])).toEqual([]);
  });

  it.each<[string, string, () => string | null]>([
    ['no token', 'shop.example', () => null],
    ['no such token', 'shop.example', () => 'tnn_at_x'],
    ['unknown store', 'nowhere.example', () => token],
    ['the admin token', 'shop.example', () => ADMIN_TOKEN],
  ])('401: %s', async (_what, domain, bearer) => {
    const answer = await server.api(domain, bearer())('get', LIST);
    expect([answer.status, answer.text, answer.headers['www-authenticate']]).toEqual([401, '', 'Bearer']);
  });

  it('the store is found by host, lower-cased, port stripped', async () => {
    expect((await server.api('SHOP.Example:8080', token)('get', LIST)).status).toBe(200);
  });

  it('403 | API calls | empty | the installation lacks the scope the operation needs, judged by its present scopes', async () => {
    const other = await server.anApp(store, ['read_products']);
    const bearer = await server.token(other);
    const ask = () =>
      server
        .api(store.domain, bearer)('post', BULK)
        .set('Idempotency-Key', 'scope')
        .send({ products: [{ id: NOWHERE }] });
    const answer = await ask();
    const challenge = 'Bearer error="insufficient_scope", scope="write_products"';
    expect([answer.status, answer.text, answer.headers['www-authenticate']]).toEqual([403, '', challenge]);
    await server
      .admin('patch', `/admin/apps/${other.id}`)
      .send({ scopes: ['write_products'] })
      .expect(200);
    expect((await ask()).status).toBe(200);
    expect((await server.api(store.domain, bearer)('get', LIST)).status).toBe(200);
  });
});

describe('GET /apps/catalog/products', () => {
  it.each([
    ['', 0, 50, 50],
    ['?skip=10&take=5', 10, 5, 5],
    ['?skip=-1&take=-1', 0, 50, 50],
    ['?skip=x&take=y', 0, 50, 50],
    ['?take=0', 0, 1, 1],
    ['?take=9999', 0, 250, 60],
    ['?skip=1000', 1000, 50, 0],
  ])('skip 0, take 50, at most 250, no 400: "%s" uses skip %d and take %d', async (query, skip, take, length) => {
    const answer = await call('get', `${LIST}${query}`);
    expect(answer.status).toBe(200);
    const page = productListResponse.strict().parse(answer.body);
    expect(Object.keys(answer.body as object)).toEqual(['items', 'skip', 'take', 'total']);
    expect([page.skip, page.take, page.total, page.items.length]).toEqual([skip, take, 60, length]);
    expect(page.items.map(({ id }) => id)).toEqual(products.slice(skip, skip + take));
  });

  it.each([
    ['status=Draft', 1],
    ['kind=Digital', 0],
    ['tag=few', 3],
    ['q=sku-59', 1],
    ['updatedSince=2999-01-01T00:00:00Z', 0],
    [`categoryId=${NOWHERE}`, 0],
  ])('Filters: %s gives %d', async (query, total) => {
    expect((await call('get', `${LIST}?${query}`)).body).toMatchObject({ total });
  });

  it.each([
    ...['status=active', 'kind=x', 'categoryId=x', 'updatedSince=yesterday', 'tag=', 'q=a&q=b'],
    ...[
      'after=x',
      'after=%00',
      'after=&after=',
      'fields=x',
      'fields=',
      'fields=id&fields=x',
      'fields=id,name',
      'fields=__proto__',
    ],
  ])('A bad filter value: 400 {error}: %s', async (query) => {
    const answer = await call('get', `${LIST}?${query}`);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['error']]);
  });

  it('after walks the list by a cursor, empty for its beginning, and fields choose what an item has', async () => {
    const ids: unknown[] = [];
    let after: string | null = '';
    while (after !== null) {
      const { body } = await call('get', `${LIST}?take=25&fields=name&fields=id&after=${after}`).expect(200);
      const page = body as { items: object[]; total: number; next: string | null };
      expect([page.total, Object.keys(page.items[0] ?? {})]).toEqual([60, ['id', 'name']]);
      ids.push(...page.items.map((item) => Object.values(item)[0] as unknown));
      after = page.next;
    }
    expect(ids).toEqual(products);
    const admin = await server.admin('get', `/admin/stores/${store.id}/products?after=&take=1&fields=id`).expect(200);
    expect(admin.body).toMatchObject({ items: [{ id: products[0] }], next: expect.any(String) as string });
  });

  it('ETag; If-None-Match gives 304 without a body', async () => {
    for (const path of [`${LIST}?after=&take=1`, `${LIST}?fields=id`, LIST, `${LIST}/${products[0] ?? ''}`]) {
      const { etag = '' } = (await call('get', path)).headers as { etag?: string };
      expect(etag).toMatch(/^"/);
      const again = await call('get', path).set('If-None-Match', etag);
      expect([again.status, again.text]).toEqual([304, '']);
      expect((await call('get', path).set('If-None-Match', '"other"')).status).toBe(200);
    }
  });
});

describe('GET /apps/catalog/products/{id}', () => {
  it('Response 200: the product detail', async () => {
    const answer = await call('get', `${LIST}/${products[1] ?? ''}`);
    expect(answer.status).toBe(200);
    const detail = productResponse.strict().parse(answer.body);
    expect(detail).toMatchObject({
      id: products[1],
      tenantId: store.id,
      slug: 'product-1',
      variants: [{ sku: 'SKU-1', price: 12.5 }],
    });
  });
});

describe('POST /apps/catalog/products/bulk', () => {
  const bulk = (key: string | null, body: object) => {
    const ask = call('post', BULK);
    return (key === null ? ask : ask.set('Idempotency-Key', key)).send(body);
  };
  const change = () => ({
    products: [
      { id: products[5], name: 'Renamed' },
      { id: NOWHERE, name: 'x' },
    ],
  });

  it('A product that fails is reported in results with its error and errorCode, and counted in failed', async () => {
    const answer = await bulk('results', change());
    expect(answer.status).toBe(200);
    const { results, ...counts } = bulkResponse.strict().parse(answer.body);
    expect(counts).toEqual({ requested: 2, succeeded: 1, failed: 1, slugsChanged: 0 });
    expect(results.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['Updated', null],
      ['Failed', 'product_not_found'],
    ]);
  });

  it('finished, same key, same request: original status and body with Idempotent-Replay: true', async () => {
    const original = await bulk('again', change());
    expect(original.headers).not.toHaveProperty('idempotent-replay');
    const replay = await bulk(' again ', change());
    expect([replay.status, replay.text, replay.headers['idempotent-replay']]).toEqual([200, original.text, 'true']);
    expect(replay.headers['content-type']).toBe(original.headers['content-type']);
  });

  it('finished, same key, different request: 422', async () => {
    await bulk('different', change());
    const answer = await bulk('different', { products: [] });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([422, 'idempotency_key_reused']);
    expect(answer.headers).not.toHaveProperty('retry-after');
  });

  it.each<[string, object]>([
    ['no products', {}],
    ['0 products', { products: [] }],
    ['251 products', { products: Array.from({ length: 251 }, () => ({ id: NOWHERE })) }],
    ['an id that is not a UUID', { products: [{ id: 'x' }] }],
    ['an element that is not an object', { products: [1] }],
  ])('Response 400 {error}, remembered: %s', async (what, body) => {
    const answer = await bulk(`bad ${what}`, body);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['error']]);
    const again = await bulk(`bad ${what}`, body);
    expect([again.status, again.text, again.headers['idempotent-replay']]).toEqual([400, answer.text, 'true']);
  });
});

describe('GET /apps/catalog/collections/{id}/products', () => {
  it('Default take | 50 | collection products; skip default 0, total is exact', async () => {
    const answer = await call('get', `/apps/catalog/collections/${COLLECTION}/products`);
    const page = collectionProductsResponse.strict().parse(answer.body);
    expect(page).toEqual({ collectionId: COLLECTION, productIds: products.slice(0, 50), skip: 0, take: 50, total: 60 });
  });
});

describe('PUT /custom-data/metaobjects/{type}/entries/{handle}', () => {
  const put = (type: string, handle: string, body: object) =>
    call('put', `/custom-data/metaobjects/${type}/entries/${handle}`).send(body);
  it('Response 200: the metaobject entry response', async () => {
    const answer = await put('note', 'One', { fields: { title: 'T' }, seoTitle: 'S' });
    expect(answer.status).toBe(200);
    expect(entryResponse.strict().parse(answer.body)).toMatchObject({
      handle: 'one',
      seoTitle: 'S',
      seoDescription: null,
      publishedAt: null,
    });
  });
  it('400 | metaobject entry route | problem+json as above | validation failure, every fault at once', async () => {
    const answer = await put('note', 'a!', { fields: { hex: 'red', other: 1 }, seoTitle: 7 });
    expect([answer.status, answer.type]).toEqual([400, 'application/problem+json']);
    const { errors, ...problem } = answer.body as { errors: object };
    expect(Object.keys(errors).sort()).toEqual(['fields.hex', 'fields.other', 'fields.title', 'handle', 'seoTitle']);
    expect(problem).toMatchObject({ status: 400, title: 'Bad Request', instance: '/custom-data/metaobjects/note/entries/a!' });
  });
});

describe('the own entries of a type', () => {
  const ALL = '/custom-data/metaobjects/swatch/entries';
  const put = (handle: string, fields: object) => call('put', `${ALL}/${handle}`).send({ fields });
  let product: string;
  beforeAll(async () => {
    [product = ''] = await server.importProducts(store, [{ name: 'Swatched' }]);
    const fields = [
      { key: 'title', type: 'single_line_text' },
      { key: 'of', type: 'product_reference' },
    ];
    await server
      .admin('put', `/admin/stores/${store.id}/metaobject-definitions/swatch`)
      .send({ name: 'Swatch', fields })
      .expect(200);
    for (const handle of ['b', 'c', 'a'])
      await put(handle, { title: handle, ...(handle !== 'b' && { of: product }) }).expect(200);
  });
  const page = async (query: string) => ownEntryPage.parse((await call('get', `${ALL}${query}`).expect(200)).body);

  it('are listed by handle, with a cursor', async () => {
    const first = await page('?take=2');
    expect(first.items.map(({ handle }) => handle)).toEqual(['a', 'b']);
    const rest = await page(`?take=2&after=${String(first.next)}`);
    expect([rest.items.map(({ handle }) => handle), rest.next]).toEqual([['c'], null]);
  });
  it('are found by the product that they refer to, in any case of its id', async () => {
    const found = await page(`?product=${product.toUpperCase()}&take=1`);
    expect(found.items.map(({ handle }) => handle)).toEqual(['a']);
    expect((await page(`?product=${product}&after=${String(found.next)}`)).items.map(({ handle }) => handle)).toEqual(['c']);
  });
  it.each(['product=x', 'after=x', 'after=', 'after=YQ==', 'after=YSE', 'product=', `after=YQ&after=YQ`])(
    '400, as problem+json: %s',
    async (query) => {
      const answer = await call('get', `${ALL}?${query}`);
      expect([answer.status, answer.type]).toEqual([400, 'application/problem+json']);
    },
  );
  it('are read with an ETag, which the next write gives as well, and 304 while nothing has changed', async () => {
    const written = await put('read', { title: 'T' }).expect(200);
    const got = await call('get', `${ALL}/READ`).expect(200);
    expect(ownEntry.parse(got.body)).toMatchObject({ type: 'swatch', handle: 'read', fields: { title: 'T' }, updatedAt: null });
    expect(got.headers['etag']).toBe(written.headers['etag']);
    const tag = String(got.headers['etag']);
    const same = await call('get', `${ALL}/read`).set('If-None-Match', tag).expect(304);
    expect([same.text, same.headers['etag']]).toEqual(['', tag]);
    expect((await put('read', { title: 'T' }).expect(200)).headers['etag']).toBe(tag);
    expect((await put('read', { title: 'U' }).expect(200)).headers['etag']).not.toBe(tag);
    await call('get', `${ALL}/read`).set('If-None-Match', tag).expect(200);
  });
  it('are replaced and deleted on a condition: 412 for another ETag, a weak one, or what does not exist', async () => {
    const tag = String((await put('kept', { title: 'T' }).expect(200)).headers['etag']);
    for (const header of ['"other"', `W/${tag}`, tag.slice(1, -1), '']) {
      const answer = await put('kept', { title: 'U' }).set('If-Match', header);
      expect([answer.status, answer.type, answer.body]).toMatchObject([
        412,
        'application/problem+json',
        { code: 'precondition_failed' },
      ]);
      expect((await call('delete', `${ALL}/kept`).set('If-Match', header)).status).toBe(412);
    }
    await put('new', { title: 'U' }).set('If-Match', '*').expect(412);
    const replaced = await put('kept', { title: 'U' }).set('If-Match', `"other", ${tag}`).expect(200);
    await call('delete', `${ALL}/kept`).set('If-Match', tag).expect(412);
    await call('delete', `${ALL}/kept`).set('If-Match', String(replaced.headers['etag'])).expect(204);
    await call('delete', `${ALL}/kept`).set('If-Match', '*').expect(404);
    await put('kept', { title: 'T' }).expect(200);
    await call('delete', `${ALL}/kept`).set('If-Match', '*').expect(204);
  });
  it('of two who replace the same entry at once, one succeeds', async () => {
    const tag = String((await put('raced', { title: '' }).expect(200)).headers['etag']);
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => (await put('raced', { title: `by ${String(n)}` }).set('If-Match', tag)).status),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(answers.filter((status) => status === 412)).toHaveLength(7);
  });
});

describe('/apps/webhooks/subscriptions', () => {
  const url = 'https://hooks.example.com/a';
  const create = (body: object) => call('post', SUBSCRIPTIONS).send(body);
  it('created, listed only to its installation, deleted with 204, then 404', async () => {
    const created = await create({ url, eventTypes: ['PRODUCT.updated'], description: null });
    expect(created.status).toBe(200);
    const made = subscriptionResponse.strict().parse(created.body);
    expect(made).toMatchObject({
      url,
      eventTypes: ['product.updated'],
      isActive: true,
      hasSigningSecret: true,
      isDeliverable: true,
      installationId: app.id,
    });
    expect(subscriptionList.parse((await call('get', SUBSCRIPTIONS)).body)).toEqual([made]);
    const other = server.api(store.domain, await server.token(await server.anApp(store)));
    expect((await other('get', SUBSCRIPTIONS)).body).toEqual([]);
    expect((await other('delete', `${SUBSCRIPTIONS}/${made.id}`)).status).toBe(404);
    expect((await call('delete', `${SUBSCRIPTIONS}/${made.id}`)).status).toBe(204);
    expect((await call('delete', `${SUBSCRIPTIONS}/${made.id}`)).status).toBe(404);
  });
  it("400 'This installation cannot receive: <event> (needs <scope>).'", async () => {
    const other = await server.anApp(store, ['write_webhooks']);
    const answer = await server
      .api(store.domain, await server.token(other))('post', SUBSCRIPTIONS)
      .send({ url, eventTypes: ['order.paid'] });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'This installation cannot receive: order.paid (needs read_orders).' },
    ]);
  });
  it.each<[string, object]>([
    ['An empty eventTypes is refused', { url, eventTypes: [] }],
    ['an unknown event type', { url, eventTypes: ['x.y'] }],
    ['url must be absolute', { url: '/a', eventTypes: ['ping'] }],
    ['url of more than 2048 characters', { url: `${url}${'a'.repeat(2048)}`, eventTypes: ['product.updated'] }],
    ['url must not be a private address', { url: 'https://10.0.0.1/', eventTypes: ['product.updated'] }],
    ['description of more than 256 characters', { url, eventTypes: ['product.updated'], description: 'd'.repeat(257) }],
  ])('400 {error}: %s', async (_what, body) => {
    const answer = await create(body);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['error']]);
  });
});

describe('every response', () => {
  it.each<[string, number, () => PromiseLike<{ status: number; headers: Record<string, string> }>]>([
    ['/healthz', 200, () => server.api(store.domain, null)('get', '/healthz')],
    ['/readyz', 200, () => server.api(store.domain, null)('get', '/readyz')],
    ['an unknown path', 404, () => call('get', '/nothing')],
    ['another case of a path', 404, () => call('get', '/apps/Catalog/products')],
    ['a trailing slash', 404, () => call('get', `${LIST}/`)],
    ['another method', 405, () => call('delete', LIST)],
    ['a 401', 401, () => server.api(store.domain, null)('get', LIST)],
    ['a 200', 200, () => call('get', LIST)],
  ])('carries X-Request-Id: %s is %d', async (_what, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
  it('the body of an unknown path is {error, code}', async () => {
    expect((await call('get', '/nothing')).body).toEqual({ error: expect.any(String) as string, code: 'not_found' });
  });
});

describe('the log', () => {
  it('has one line a request with request id, store, installation, route, status, duration, and the reason of a 401 and 403', async () => {
    const lineOf = (answer: { headers: Record<string, string> }) =>
      eventually(() => {
        const lines = server.logged().filter(({ requestId }) => requestId === answer.headers['x-request-id']);
        expect(lines).toHaveLength(1);
        return lines[0];
      });
    const durationMs = expect.any(Number) as number;
    expect(await lineOf(await call('get', `${LIST}?q=x`))).toMatchObject({
      store: store.id,
      installation: app.id,
      route: `GET ${LIST}`,
      method: 'GET',
      path: LIST,
      status: 200,
      durationMs,
    });
    expect(await lineOf(await server.api(store.domain, null)('get', LIST))).toMatchObject({
      status: 401,
      reason: 'no_token',
      durationMs,
    });
    const weak = await server.token(await server.anApp(store, ['read_orders']));
    expect(await lineOf(await server.api(store.domain, weak)('get', LIST))).toMatchObject({
      status: 403,
      reason: 'needs read_products',
    });
  });
  it('never holds a secret', async () => {
    await server
      .api(store.domain, null)('post', '/apps/token')
      .type('form')
      .send({ client_id: app.clientId, client_secret: app.clientSecret });
    // Where they do not belong: as ids, and as paths of nothing.
    for (const secret of [token, app.clientSecret, app.signingSecret]) {
      for (const path of [`${LIST}/${encodeURIComponent(secret)}`, `/${secret}`, `${LIST}?access_token=${secret}`]) {
        const answer = await call('get', path);
        await eventually(() => expect(server.log.join('\n')).toContain(answer.headers['x-request-id']));
      }
    }
    const text = server.log.join('\n');
    expect(text).toContain(app.id);
    for (const secret of [token, app.clientSecret, app.signingSecret, ADMIN_TOKEN]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(encodeURIComponent(secret));
    }
  });
});

describe('429 | any | rate limit exceeded; wait the number of seconds in Retry-After', () => {
  let small: OpenApp;
  beforeAll(async () => {
    small = await openApp({
      // Windows of 30 s: on a busy machine all requests of this test still fall into one.
      RATE_LIMIT_PER_SECOND: '1',
      RATE_LIMIT_BURST: '30',
      TOKEN_RATE_LIMIT_BURST: '30',
      TOKEN_RATE_LIMIT_PER_SECOND: '1',
    });
  });
  afterAll(async () => {
    await small.close();
  });

  it('per installation and per client id, with headers that agree', async () => {
    const own = await small.aStore();
    const limited = await small.anApp(own);
    const ask = small.api(own.domain, await small.token(limited));
    for (let n = 29; n >= 0; n -= 1) {
      const answer = await ask('get', LIST);
      expect([answer.status, answer.headers['ratelimit-policy']]).toEqual([200, '"installation";q=30;w=30']);
      expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"installation";r=${String(n)};t=([1-9]|[12]\\d|30)$`));
    }
    const refused = await ask('get', LIST);
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([429, 'rate_limited']);
    const { 'retry-after': wait = '', ratelimit = '' } = refused.headers as Record<string, string>;
    expect(ratelimit).toBe(`"installation";r=0;t=${wait}`);
    expect(Number(wait)).toBeGreaterThanOrEqual(1);
    const other = await small.anApp(own);
    expect((await small.api(own.domain, await small.token(other))('get', LIST)).status).toBe(200);
    for (let n = 0; n < 29; n += 1) await small.token(other);
    await expect(small.token(other)).rejects.toThrow('429');
  });
});
