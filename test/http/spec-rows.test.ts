import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore, type Verb } from '../support/app.ts';
import { ask } from '../support/raw.ts';

const NOWHERE = '019a0000-0000-7000-8000-00000000dead';
const LIST = '/apps/catalog/products';
const BULK = `${LIST}/bulk`;
const SUBSCRIPTIONS = '/apps/webhooks/subscriptions';
const ERROR = { error: expect.any(String) as string };

let server: OpenApp;
let store: TestStore;
let app: TestApp;
let token: string;
let product: string;
beforeAll(async () => {
  // Enough products to make an answer larger than 256 KB.
  server = await openApp({ BULK_MAX_PRODUCTS: '1000' });
  store = await server.aStore();
  app = await server.anApp(store);
  token = await server.token(app);
  [product = ''] = await server.importProducts(store, [{ name: 'One', slug: 'one', variants: [{ sku: 'A', currency: 'EUR' }] }]);
  const note = { name: 'Note', fields: [{ key: 'title', type: 'single_line_text' }] };
  await server.admin('put', `/admin/stores/${store.id}/metaobject-definitions/note`).send(note).expect(200);
});
afterAll(async () => {
  await server.close();
});

const call = (verb: Verb, path: string, bearer: string | null = token) => server.api(store.domain, bearer)(verb, path);
const bulk = (key: string, products: readonly object[]) => call('post', BULK).set('Idempotency-Key', key).send({ products });
const subscribe = (more: object = {}) =>
  call('post', SUBSCRIPTIONS).send({ url: 'https://hooks.example.com/x', eventTypes: ['product.updated'], ...more });
const urlOf = (length: number) => `https://hooks.example.com/${'a'.repeat(length - 26)}`;

it('States: Active, Draft, Archived: the bulk update sets each, and nothing else', async () => {
  for (const status of ['Active', 'Archived', 'Draft']) {
    expect((await bulk(`to ${status}`, [{ id: product, status }])).body).toMatchObject({ succeeded: 1 });
    expect((await call('get', `${LIST}/${product}`)).body).toMatchObject({ status });
  }
  const refused = await bulk('to Deleted', [{ id: product, status: 'Deleted' }]);
  expect(refused.body).toMatchObject({ failed: 1, results: [{ errorCode: 'status_invalid' }] });
});

describe('Access token', () => {
  const ends: readonly (readonly [string, (own: TestStore, installed: TestApp) => PromiseLike<unknown>])[] = [
    ['3600 seconds', () => server.database.query("UPDATE access_tokens SET expires_at = expires_at - interval '3600 s'", [])],
    ['revocation', (_own, { id }) => server.admin('post', `/admin/apps/${id}/revoke-tokens`).expect(204)],
    ['uninstall', (_own, { id }) => server.admin('post', `/admin/apps/${id}/uninstall`).expect(204)],
    ['store not active', ({ id }) => server.admin('patch', `/admin/stores/${id}`).send({ status: 'Inactive' }).expect(200)],
  ];
  it.each(ends)(
    'valid | 3600 seconds elapse, revocation, uninstall, or store not active | invalid | API calls return 401 with empty body: %s',
    async (_what, end) => {
      const own = await server.aStore();
      const installed = await server.anApp(own);
      const list = server.api(own.domain, await server.token(installed));
      expect((await list('get', LIST)).status).toBe(200);
      await end(own, installed);
      const answer = await list('get', LIST);
      expect([answer.status, answer.text]).toEqual([401, '']);
      token = await server.token(app);
    },
  );

  it('invalid | new token request with valid credentials | valid | new token issued; there is no refresh token', async () => {
    const old = await server.token(app);
    await server.admin('post', `/admin/apps/${app.id}/revoke-tokens`).expect(204);
    expect((await call('get', LIST, old)).status).toBe(401);
    token = await server.token(app);
    expect(token).not.toBe(old);
    expect((await call('get', LIST)).status).toBe(200);
  });
});

describe('Installation and subscriptions', () => {
  it('installed, subscriptions active | uninstall of the app | uninstalled | all subscriptions of the installation are deactivated and removed', async () => {
    const other = await server.anApp(store);
    const bearer = await server.token(other);
    const body = { url: 'https://hooks.example.com/gone', eventTypes: ['product.updated'] };
    expect((await call('post', SUBSCRIPTIONS, bearer).send(body)).body).toMatchObject({ isActive: true });
    const rows = () => server.database.query('SELECT 1 FROM subscriptions WHERE installation_id = $1::uuid', [other.id]);
    expect(await rows()).toHaveLength(1);
    await server.admin('post', `/admin/apps/${other.id}/uninstall`).expect(204);
    expect((await server.admin('get', `/admin/apps/${other.id}`)).body).toMatchObject({ status: 'Uninstalled' });
    expect(await rows()).toHaveLength(0);
  });

  it('subscription exists | DELETE of the subscription by its owner | removed', async () => {
    const { id } = (await subscribe()).body as { id: string };
    expect((await call('delete', `${SUBSCRIPTIONS}/${id}`)).status).toBe(204);
    expect((await call('get', SUBSCRIPTIONS)).body).not.toContainEqual(expect.objectContaining({ id }));
  });
});

describe('Errors', () => {
  it('400 | subscription and bulk routes, list of subscriptions | {error: string} | validation failure; also a missing, blank or over-long Idempotency-Key', async () => {
    const refused = [
      await subscribe({ eventTypes: [] }),
      await bulk('none', []),
      await call('post', BULK).send({ products: [] }),
      await bulk(' ', [{ id: product }]),
      await bulk('k'.repeat(256), [{ id: product }]),
    ];
    for (const answer of refused) expect([answer.status, answer.body]).toEqual([400, ERROR]);
    const hosts = [`Host: ${store.domain}`, 'Host: other.example'];
    const listed = await ask(server.url, [`GET ${SUBSCRIPTIONS} HTTP/1.1`, ...hosts, `Authorization: Bearer ${token}`]);
    expect([listed.status, JSON.parse(listed.body)]).toEqual([400, ERROR]);
  });

  it('404 | product, collection, metaobject, subscription delete | resource not found, or subscription not owned by the caller', async () => {
    const sibling = await server.token(await server.anApp(store));
    const { id } = (await subscribe()).body as { id: string };
    const missing = [
      await call('get', `${LIST}/${NOWHERE}`),
      await call('get', `/apps/catalog/collections/${NOWHERE}/products`),
      await call('put', '/custom-data/metaobjects/none/entries/one').send({ fields: {} }),
      await call('delete', `${SUBSCRIPTIONS}/${NOWHERE}`),
      await call('delete', `${SUBSCRIPTIONS}/${id}`, sibling),
    ];
    for (const answer of missing) {
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([404, 'not_found']);
    }
    expect((await call('delete', `${SUBSCRIPTIONS}/${id}`)).status).toBe(204);
  });
});

describe('Limits', () => {
  it('Access token lifetime | 3600 seconds | token', async () => {
    await server.token(app);
    const [row] = await server.database.query<{ seconds: string }>(
      'SELECT extract(epoch FROM max(expires_at) - now())::int AS seconds FROM access_tokens WHERE installation_id = $1::uuid',
      [app.id],
    );
    expect(Math.abs(Number(row?.seconds) - 3_600)).toBeLessThan(60);
  });
  it('url length | 2048 characters | subscription create', async () => {
    expect((await subscribe({ url: urlOf(2_048) })).status).toBe(200);
    expect((await subscribe({ url: urlOf(2_049) })).status).toBe(400);
  });
  it('description length | 256 characters | subscription create', async () => {
    expect((await subscribe({ description: 'd'.repeat(256) })).status).toBe(200);
    expect((await subscribe({ description: 'd'.repeat(257) })).status).toBe(400);
  });
  it('Idempotency-Key length | at most 255 characters | idempotent routes', async () => {
    expect((await bulk('k'.repeat(255), [{ id: product }])).status).toBe(200);
    expect((await bulk('k'.repeat(256), [{ id: product }])).status).toBe(400);
  });
  it('Idempotency key memory | 24 hours | idempotent routes', async () => {
    const age = (interval: string) =>
      server.database.query("UPDATE idempotency_records SET finished_at = now() - $1::text::interval WHERE key = 'memory'", [
        interval,
      ]);
    await bulk('memory', [{ id: product }]);
    await age('23 hours 59 minutes');
    expect((await bulk('memory', [{ id: product }])).headers['idempotent-replay']).toBe('true');
    await age('24 hours 1 second');
    expect((await bulk('memory', [{ id: product }])).headers).not.toHaveProperty('idempotent-replay');
  });
  it('Largest replayable original response | 256 KB | idempotent routes', async () => {
    // Each repetition is reported with the slug of the product, which has 255 characters.
    const many = (count: number) => Array.from({ length: count }, () => ({ id: product }));
    await bulk('long slug', [{ id: product, slug: 's'.repeat(255) }]);
    const sizeOf = async (count: number) => Buffer.byteLength((await bulk(`size ${String(count)}`, many(count))).text);
    const [ten, twenty] = [await sizeOf(10), await sizeOf(20)];
    const count = Math.floor((262_144 - ten) / ((twenty - ten) / 10)) - 10;
    expect(await sizeOf(count)).toBeLessThan(262_144);
    expect((await bulk(`size ${String(count)}`, many(count))).headers['idempotent-replay']).toBe('true');
    expect(await sizeOf(count + 40)).toBeGreaterThan(262_144);
    expect((await bulk(`size ${String(count + 40)}`, many(count + 40))).body).toMatchObject({
      code: 'idempotency_not_replayable',
    });
  });
});

describe('Authentication', () => {
  it('a client id, a client secret and a signing secret. All three are shown once when the store creates the app itself', async () => {
    const made = await server.anApp(store);
    expect([made.clientId, made.clientSecret, made.signingSecret].every((text) => text.length > 20)).toBe(true);
    for (const path of [`/admin/apps/${made.id}`, `/admin/stores/${store.id}/apps`]) {
      const { text } = await server.admin('get', path);
      expect(text).toContain(made.id);
      for (const secret of [made.clientSecret, made.signingSecret]) expect(text).not.toContain(secret);
    }
  });
  it('POST /apps/token with grant_type client_credentials yields a bearer token. The token lives 3600 seconds. There is no refresh token', async () => {
    const form = { grant_type: 'client_credentials', client_id: app.clientId, client_secret: app.clientSecret };
    const { body } = await call('post', '/apps/token', null).type('form').send(form).expect(200);
    expect(body).toMatchObject({ tokenType: 'Bearer', expiresIn: 3_600 });
    const { access_token, token_type, expires_in, ...own } = body as Readonly<Record<string, unknown>>;
    expect(Object.keys(own).sort()).toEqual(['accessToken', 'expiresIn', 'scope', 'scopeNotYetEnforced', 'tokenType']);
    expect([access_token, token_type, expires_in]).toEqual([own['accessToken'], own['tokenType'], own['expiresIn']]);
  });
  it('API calls carry the header Authorization: Bearer <ACCESS_TOKEN>', async () => {
    expect((await call('get', LIST)).status).toBe(200);
    for (const header of [token, `Token ${token}`, `Basic ${token}`, 'Bearer', `Bearer ${token} x`]) {
      expect((await call('get', LIST, null).set('Authorization', header)).status).toBe(401);
    }
  });
  it('A write_ scope includes the matching read_ scope', async () => {
    const writer = await server.token(await server.anApp(store, ['write_products', 'write_webhooks']));
    for (const path of [LIST, SUBSCRIPTIONS]) expect((await call('get', path, writer)).status).toBe(200);
    expect((await call('get', `/apps/catalog/collections/${NOWHERE}/products`, writer)).status).toBe(403);
  });
  it('The scope field of the token response lists what is enforceable now. scopeNotYetEnforced lists granted scopes that no endpoint honours yet', async () => {
    const { clientId, clientSecret } = await server.anApp(store, ['write_products', 'read_analytics', 'write_customers']);
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { body } = await call('post', '/apps/token', null).type('form').send(form).expect(200);
    expect(body).toMatchObject({ scope: 'read_products write_products' });
    const later = (body as { scopeNotYetEnforced: string }).scopeNotYetEnforced.split(' ');
    expect(later).toEqual(expect.arrayContaining(['read_analytics', 'write_customers']));
  });
});
