import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Response, Test } from 'supertest';

import { openApp, type OpenApp, type TestApp, type TestStore, type Verb } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const LIST = '/apps/catalog/products';
const BULK = `${LIST}/bulk`;
const NOBODY = '019a0000-0000-7000-8000-00000000dead';
const COLLECTION = `/apps/catalog/collections/${NOBODY}/products`;

interface Refused {
  readonly id: string;
  readonly at: string;
  readonly status: number;
  readonly reason: string;
  readonly leftOut: number;
}

const idOf = (answer: Response): string => answer.headers['x-request-id'] ?? '';

describe('the request log', () => {
  let server: OpenApp;
  let store: TestStore;
  let app: TestApp;
  let token: string;
  let product: string;
  beforeAll(async () => {
    server = await openApp({ ROLE: 'api' });
    store = await server.aStore();
    app = await server.anApp(store, ['write_products']);
    token = await server.token(app);
    [product = ''] = await server.importProducts(store, [{ name: 'Saw', variants: [{ sku: 'S', currency: 'EUR' }] }]);
  });
  afterAll(() => server.close());

  const call = (verb: Verb, path: string, bearer: string | null = token, domain = store.domain): Test =>
    server.api(domain, bearer)(verb, path);
  const bulk = (key: string, products: unknown): Test => call('post', BULK).set('Idempotency-Key', key).send({ products });
  /** The log's entry of a response, once it is written. */
  const entryOf = (answer: Response) =>
    eventually(async () => {
      const found = await server.admin('get', `/admin/requests/${idOf(answer)}`);
      expect(found.status).toBe(200);
      return found.body as Record<string, unknown>;
    });
  const list = async (query = '', of = store): Promise<{ items: Refused[]; next: string | null }> =>
    (await server.admin('get', `/admin/stores/${of.id}/requests${query}`).expect(200)).body;
  const exchange = (form: object, domain = store.domain): Test =>
    call('post', '/apps/token', null, domain).type('form').send(form);

  describe('names the check that refused', () => {
    const own = () => ({ storeId: store.id, host: null, installationId: app.id });
    const strange = () => ({ storeId: store.id, host: null, installationId: null });
    const unknownToken = () => token.replace(/.{8}$/, 'AAAAAAAA');

    it.each<readonly [string, () => Test, object]>([
      ['store', () => call('get', LIST, token, '!'), { status: 401, reason: 'unknown_store', storeId: null, host: '!' }],
      ['token', () => call('get', LIST, null), { status: 401, code: 'unauthenticated', reason: 'no_token' }],
      ['token', () => call('get', LIST, unknownToken()), { status: 401, reason: 'malformed' }],
      ['scope', () => call('get', COLLECTION), { status: 403, code: 'forbidden', reason: 'needs read_collections' }],
      ['key', () => call('post', BULK).send({ products: [] }), { status: 400, code: 'invalid', reason: 'invalid' }],
      ['body', () => bulk('text', []).type('text/plain').send('x'), { status: 415, code: 'unsupported_media_type' }],
      ['body', () => call('post', BULK).set('Idempotency-Key', 'cut').type('json').send('{"products'), { status: 400 }],
      ['schema', () => bulk('schema', 'none'), { status: 400, code: 'invalid' }],
      ['schema', () => call('get', `${LIST}/no-id`), { status: 404, code: 'not_found' }],
      ['work', () => call('get', `${LIST}/${NOBODY}`), { status: 404, code: 'not_found', reason: 'not_found' }],
      ['body', () => exchange({ grant_type: 'password' }), { status: 401, reason: 'malformed_form', route: 'POST /apps/token' }],
      [
        'token',
        () => exchange({ grant_type: 'client_credentials', client_id: app.clientId, client_secret: 'wrong' }),
        { status: 401, code: 'unauthenticated', reason: 'malformed_client_secret', route: 'POST /apps/token' },
      ],
    ])('%s', async (check, send, seen) => {
      const answer = await send();
      const whose = answer.status === 401 ? strange() : own();
      expect(await entryOf(answer)).toMatchObject({ id: idOf(answer), check, leftOut: 0, ...whose, ...seen });
    });

    it('claim', async () => {
      await bulk('claimed', [{ id: product, name: 'Saw 1' }]).expect(200);
      const reused = await bulk('claimed', [{ id: product, name: 'Saw 2' }]).expect(422);
      expect(await entryOf(reused)).toMatchObject({ ...own(), check: 'claim', code: 'idempotency_key_reused', status: 422 });
      const first = await bulk('refused', 'none').expect(400);
      const again = await bulk('refused', 'none').expect(400);
      expect(again.headers['idempotent-replay']).toBe('true');
      expect(await entryOf(first)).toMatchObject({ check: 'schema', code: 'invalid' });
      expect(await entryOf(again)).toMatchObject({ check: 'claim', code: null, reason: 'replay' });
    });

    it('a token of another store is a refusal on the store that was asked, without the app', async () => {
      const other = await server.aStore();
      const refused = await call('get', LIST, token, other.domain).expect(401);
      expect(await entryOf(refused)).toMatchObject({ storeId: other.id, installationId: null, reason: 'wrong_store' });
      expect((await list('', other)).items.map(({ id }) => id)).toEqual([idOf(refused)]);
      expect((await list()).items.map(({ id }) => id)).not.toContain(idOf(refused));
    });
  });

  it('has no request that was answered, none of the merchant, and none that no route took', async () => {
    const answers = [
      await call('get', LIST.replace('products', 'nothing')).expect(404),
      await call('delete', LIST).expect(405),
      await server.admin('get', `/admin/stores/${NOBODY}`).expect(404),
      await bulk('answered', [{ id: product, name: 'Saw 3' }]).expect(200),
    ];
    await entryOf(await call('get', LIST, null).expect(401));
    for (const answer of answers) await server.admin('get', `/admin/requests/${idOf(answer)}`).expect(404);
  });

  it('lists newest first, in pages, by every filter', async () => {
    const here = await server.aStore();
    const its = await server.anApp(here, ['read_products']);
    const bearer = await server.token(its);
    const sent: string[] = [];
    for (const path of [`${LIST}/${NOBODY}`, COLLECTION, `${LIST}/${NOBODY}`, `${LIST}/${NOBODY}`]) {
      const answer = await call('get', path, bearer, here.domain);
      sent.unshift(idOf(answer));
      await entryOf(answer);
    }
    const all = await list('', here);
    expect([all.items.map(({ id }) => id), all.next]).toEqual([sent, null]);
    const first = await list('?take=3', here);
    expect(first.items.map(({ id }) => id)).toEqual(sent.slice(0, 3));
    const second = await list(`?take=3&after=${first.next ?? ''}`, here);
    expect([second.items.map(({ id }) => id), second.next]).toEqual([sent.slice(3), null]);
    const idsOf = async (query: string) => (await list(query, here)).items.map(({ id }) => id);
    expect(await idsOf('?status=403')).toEqual([sent[2]]);
    expect(await idsOf('?route=/apps/catalog/collections/:id/products')).toEqual([sent[2]]);
    expect(await idsOf(`?route=${encodeURIComponent('GET /apps/catalog/collections/:id/products')}&status=404`)).toEqual([]);
    expect(await idsOf(`?installationId=${app.id}`)).toEqual([]);
    expect(await idsOf(`?installationId=${its.id}&since=${all.items[1]?.at ?? ''}`)).toEqual(sent.slice(0, 2));
  });

  it.each([
    '?after=x',
    '?after=MS4x',
    '?after=a&after=b',
    '?status=200',
    '?status=x',
    '?since=today',
    '?installationId=x',
    '?route=%00',
  ])('400 for %s', async (query) => {
    await server.admin('get', `/admin/stores/${store.id}/requests${query}`).expect(400);
    const groups = await server.admin('get', `/admin/stores/${store.id}/requests/groups${query}`);
    expect(groups.status).toBe(query.startsWith('?after') ? 200 : 400);
  });

  it('cuts a long host at 255 characters, and every credential out of it', async () => {
    const long = await call('get', LIST, null, 'x'.repeat(400)).expect(401);
    expect(await entryOf(long)).toMatchObject({ storeId: null, host: 'x'.repeat(255), check: 'store' });
    const secret = await call('get', LIST, null, `!${token}`).expect(401);
    expect(await entryOf(secret)).toMatchObject({ host: '!tnn_at_[cut]' });
    const rows = await server.database.query<{ row: string }>('SELECT to_jsonb(l)::text AS row FROM request_log l');
    for (const { row } of rows) for (const one of [token, app.clientSecret]) expect(row).not.toContain(one);
  });

  it('keeps ten a second of an app and a reason, and counts the others', async () => {
    const here = await server.aStore();
    const bearer = await server.token(await server.anApp(here, ['write_webhooks']));
    await Promise.all(Array.from({ length: 60 }, () => call('get', LIST, bearer, here.domain).expect(403)));
    const items = await eventually(async () => {
      const listed = (await list('', here)).items;
      expect(listed.reduce((sum, { leftOut }) => sum + 1 + leftOut, 0)).toBe(60);
      return listed;
    });
    expect(items.length).toBeLessThan(60);
    const groups = await server.admin('get', `/admin/stores/${here.id}/requests/groups?status=403`).expect(200);
    const { trend } = (groups.body as { items: { trend: number[] }[] }).items[0]!;
    expect(trend.reduce((sum, count) => sum + count)).toBe(60);
    expect(groups.body).toEqual({ items: [{ newest: items[0], count: 60, since: items.at(-1)?.at, trend }], isComplete: true });
  });

  it('a request that fails at work is there with its check', async () => {
    await server.database.query('ALTER TABLE categories RENAME TO away');
    try {
      const bearer = await server.token(await server.anApp(store, ['read_products']));
      const failed = await call('get', LIST, bearer);
      expect(failed.status).toBe(500);
      expect(await entryOf(failed)).toMatchObject({ status: 500, code: 'internal_error', check: 'work' });
    } finally {
      await server.database.query('ALTER TABLE away RENAME TO categories');
    }
  });
});

it('a node that stops writes what it has gathered, and REQUEST_LOG_DAYS: 0 keeps nothing', async () => {
  for (const [days, kept] of [
    ['7', 1],
    ['0', 0],
  ] as const) {
    const server = await openApp({ ROLE: 'api', REQUEST_LOG_DAYS: days });
    const store = await server.aStore();
    await server.api(store.domain, null)('get', LIST).expect(401);
    await server.stop();
    expect(await server.database.query('SELECT FROM request_log')).toHaveLength(kept);
    await server.database.close();
  }
});
