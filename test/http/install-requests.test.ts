import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { aPlatformApp, asksToInstall, requestOf, tokenRequest, type TestPlatformApp } from '../support/platform-apps.ts';

const CONSENT_URL = 'https://merchant.example.com/consent?lang=en';
const UNKNOWN = '019a0000-0000-7000-8000-00000000dead';

let app: OpenApp;
let store: TestStore;
let elsewhere: TestStore;
let platform: TestPlatformApp;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api', CONSENT_URL });
});
afterAll(() => app.close());
beforeEach(async () => {
  [store, elsewhere] = [await app.aStore(), await app.aStore()];
  platform = await aPlatformApp(app);
});

const asks = (more: Readonly<Record<string, string>> = {}, at = store) => asksToInstall(app, at, platform, more);
const decide = (id: string, decision: 'accept' | 'refuse', body: object = {}) =>
  app.admin('post', `/admin/install-requests/${id}/${decision}`).send(body);
const installations = async (at = store) =>
  ((await app.admin('get', `/admin/stores/${at.id}/apps`).expect(200)).body as { total: number }).total;
const anOperatorOf = async (storeIds: readonly string[]): Promise<string> => {
  const given = { name: `Operator of ${String(storeIds[0])}`, role: 'operator', storeIds };
  const { body } = await app.admin('post', '/admin/operators').send(given).expect(201);
  const at = `/admin/operators/${(body as { id: string }).id}/tokens`;
  return ((await app.admin('post', at).send({ name: 'ci' }).expect(201)).body as { token: string }).token;
};

describe('an install request', () => {
  it('sends the merchant to CONSENT_URL, and says scope by scope what is asked for', async () => {
    const asked = await asks({ scope: 'read_orders' }).expect(302);
    expect(asked.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const location = asked.headers['location'] ?? '';
    expect(location).toMatch(/^https:\/\/merchant\.example\.com\/consent\?lang=en&request=tnn_ir_[\w.-]+$/);
    const id = new URL(location).searchParams.get('request') ?? '';
    const { body } = await app.admin('get', `/admin/install-requests/${id}`).expect(200);
    expect(body).toMatchObject({
      id,
      app: { name: 'Stock sync' },
      store: { id: store.id, domain: store.domain },
      scopes: [
        { scope: 'read_orders', allows: 'Receive the events of orders.', isRequired: false, isGranted: false },
        { scope: 'write_products', isRequired: true, isGranted: false },
      ],
      redirectUrl: platform.redirectUrl,
    });
  });

  it('that is accepted installs the app, and returns to the exact address with the state', async () => {
    const id = await requestOf(asks());
    await tokenRequest(app, store, platform).expect(401);
    const { body } = await decide(id, 'accept').expect(200);
    const { redirectUrl, installation } = body as { redirectUrl: string; installation: { id: string } };
    expect(redirectUrl).toBe(`${platform.redirectUrl}&store=${store.domain}&installation=${installation.id}&state=a+b%26c`);
    await tokenRequest(app, store, platform).expect(200);
  });

  it('that is refused installs nothing, and returns with an error and the state', async () => {
    const id = await requestOf(asks());
    const { body } = await decide(id, 'refuse').expect(200);
    expect(body).toEqual({ redirectUrl: `${platform.redirectUrl}&store=${store.domain}&error=access_denied&state=a+b%26c` });
    expect(await installations()).toBe(0);
    await decide(id, 'accept').expect(404);
    await tokenRequest(app, store, platform).expect(401);
  });

  it('grants what the merchant chose: all that is required, and nothing that was not asked for', async () => {
    const id = await requestOf(asks({ scope: 'read_orders' }));
    await decide(id, 'accept', { scopes: ['read_orders'] }).expect(400);
    await decide(id, 'accept', { scopes: ['write_products', 'read_collections'] }).expect(400);
    const { body } = await decide(id, 'accept', { scopes: ['write_products'] }).expect(200);
    expect(body).toMatchObject({ installation: { scopes: ['write_products'] } });
  });

  it('is in the audit log with who decided, and without a credential', async () => {
    const id = await requestOf(asks());
    await decide(id, 'accept').expect(200);
    const { text } = await app.admin('get', '/admin/audit?take=250').expect(200);
    expect(text).toContain('/admin/install-requests/:installRequestId/accept');
    expect(text).not.toContain(platform.clientSecret);
  });
});

describe('attacks on the installation (RFC 9700)', () => {
  describe('open redirect: a wrong request is answered here', () => {
    const REDIRECTS: readonly string[] = [
      'https://evil.example/',
      'https://app.example.com/installed',
      'https://app.example.com/installed?via=tenon&more=1',
      'https://app.example.com/installed?via=tenon#x',
      'https://app.example.com/installed?via=tenon/',
      'https://APP.example.com/installed?via=tenon',
      'https://app.example.com:443/installed?via=tenon',
      'https://app.example.com/./installed?via=tenon',
      'https://app.example.com/%69nstalled?via=tenon',
      'https://app.example.com@evil.example/installed?via=tenon',
      'https://app.example.com.evil.example/installed?via=tenon',
      'https://evil.example/?https://app.example.com/installed?via=tenon',
      'http://app.example.com/installed?via=tenon',
      '//app.example.com/installed?via=tenon',
      'javascript:alert(1)',
      'https://app.example.com/installed?via=tenon\r\nSet-Cookie: x=1',
      '',
    ];
    it.each(REDIRECTS)('redirect_uri %j', async (redirect) => {
      const { headers, status } = await asks({ redirect_uri: redirect });
      expect([status, headers['location']]).toEqual([400, undefined]);
    });
    it.each([
      ['an unknown client', { client_id: 'tnn_cid_nobody' }],
      ['a scope that the app may not have', { scope: 'read_customers' }],
      ['a text that is not a scope', { scope: 'write_products constructor' }],
      ['a state with a line break', { state: 'a\nb' }],
      ['a state with NUL', { state: 'a\0b' }],
      ['a state that is too long', { state: 'a'.repeat(1_025) }],
    ])('%s', async (_what, more) => {
      const { headers, status } = await asks(more);
      expect([status, headers['location']]).toEqual([400, undefined]);
    });
    it('a parameter that is repeated', async () => {
      const query = new URLSearchParams({ client_id: platform.clientId, redirect_uri: platform.redirectUrl });
      query.append('redirect_uri', 'https://evil.example/');
      const { headers, status } = await app.api(store.domain, null)('get', `/apps/install?${query.toString()}`);
      expect([status, headers['location']]).toEqual([400, undefined]);
    });
    it('the redirect URL of another app', async () => {
      const theirs = await aPlatformApp(app, { redirectUrls: ['https://evil.example/'] });
      await asks({ redirect_uri: 'https://evil.example/' }).expect(400);
      await asksToInstall(app, store, theirs, { redirect_uri: platform.redirectUrl }).expect(400);
    });
    it('a host that no store has, and a store that is inactive', async () => {
      await asks({}, { id: UNKNOWN, domain: 'nobody.example' }).expect(404);
      await app.admin('patch', `/admin/stores/${store.id}`).send({ status: 'Inactive' }).expect(200);
      await asks().expect(404);
    });
  });

  it('an address that the app no longer has gets nobody, not even after consent', async () => {
    const id = await requestOf(asks());
    const at = `/admin/platform-apps/${platform.id}`;
    await app
      .admin('patch', at)
      .send({ redirectUrls: ['https://app.example.com/new'] })
      .expect(200);
    await app.admin('get', `/admin/install-requests/${id}`).expect(409);
    for (const decision of ['accept', 'refuse'] as const) await decide(id, decision).expect(409);
    expect(await installations()).toBe(0);
  });

  it('mix-up: the answer names the store, and installs on no other', async () => {
    const id = await requestOf(asks());
    const { body } = await decide(id, 'accept').expect(200);
    const { searchParams } = new URL((body as { redirectUrl: string }).redirectUrl);
    expect(searchParams.get('store')).toBe(store.domain);
    expect([await installations(), await installations(elsewhere)]).toEqual([1, 0]);
    await tokenRequest(app, elsewhere, platform).expect(401);
  });

  it('a parameter of the app cannot stand for one of the answer', async () => {
    const id = await requestOf(asks({ state: 'x&installation=forged&store=evil.example' }));
    const { body } = await decide(id, 'accept').expect(200);
    const { searchParams } = new URL((body as { redirectUrl: string }).redirectUrl);
    expect([searchParams.getAll('store'), searchParams.getAll('installation').length]).toEqual([[store.domain], 1]);
  });

  it('a foreign request: an operator of another store cannot see, accept or refuse it', async () => {
    const id = await requestOf(asks());
    const token = await anOperatorOf([elsewhere.id]);
    const as = (verb: 'get' | 'post', path: string) =>
      request(app.adminUrl)[verb](`/admin/install-requests/${id}${path}`).set('Authorization', `Bearer ${token}`);
    const answers = [await as('get', ''), await as('post', '/accept').send({}), await as('post', '/refuse').send({})];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const unknown = await request(app.adminUrl).get(`/admin/install-requests/${UNKNOWN}`).set('Authorization', `Bearer ${token}`);
    const detail = ({ body }: request.Response) => (body as { detail: string }).detail;
    expect(detail(answers[0] as request.Response)).toBe(detail(unknown));
    expect(await installations()).toBe(0);
    await decide(id, 'accept').expect(200);
  });

  it('a replayed request, and one that is accepted twice at the same time, is used once', async () => {
    const id = await requestOf(asks());
    const both = await Promise.all([decide(id, 'accept'), decide(id, 'accept'), decide(id, 'refuse')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    for (const decision of ['accept', 'refuse'] as const) await decide(id, decision).expect(404);
    await app.admin('get', `/admin/install-requests/${id}`).expect(404);
  });

  it('an expired request is as one that does not exist', async () => {
    const id = await requestOf(asks());
    const { secrets } = app.container.resolve(TOKENS.ports);
    const sealed = JSON.parse(secrets.open(id.slice('tnn_ir_'.length), 'install request')) as object;
    const ended = (expiresAt: number) => `tnn_ir_${secrets.seal(JSON.stringify({ ...sealed, expiresAt }), 'install request')}`;
    await app.admin('get', `/admin/install-requests/${ended(Date.now() + 60_000)}`).expect(200);
    await app.admin('get', `/admin/install-requests/${ended(Date.now())}`).expect(404);
    await decide(ended(Date.now()), 'accept').expect(404);
    expect(await installations()).toBe(0);
  });

  it('a suspended app can neither ask nor be accepted', async () => {
    const id = await requestOf(asks());
    await app.admin('patch', `/admin/platform-apps/${platform.id}`).send({ status: 'Suspended' }).expect(200);
    await decide(id, 'accept').expect(409);
    await asks().expect(400);
  });

  it('what the app no longer asks for is not asked of the merchant, and what it requires since must be asked for again', async () => {
    const id = await requestOf(asks({ scope: 'read_orders' }));
    const manifest = (changes: object) => app.admin('patch', `/admin/platform-apps/${platform.id}`).send(changes).expect(200);
    await manifest({ scopes: ['write_products', 'read_content'], optionalScopes: [] });
    const { body: described } = await app.admin('get', `/admin/install-requests/${id}`).expect(200);
    expect(described).toMatchObject({ scopes: [{ scope: 'write_products' }] });
    const { body: refused } = await decide(id, 'accept').expect(409);
    expect(refused).toMatchObject({ detail: expect.stringContaining('must ask again') as string });
    await manifest({ scopes: ['write_products'] });
    const { body } = await decide(id, 'accept').expect(200);
    expect(body).toMatchObject({ installation: { scopes: ['write_products'] } });
  });

  it('a HEAD is answered like the GET', async () => {
    const { origin, pathname, search } = new URL(asks().url);
    const ask = () => request(origin).head(`${pathname}${search}`).set('Host', store.domain).redirects(0);
    expect((await ask().expect(302)).headers['location']).toContain('request=');
  });

  it('CSRF: a page of another site cannot decide with the session of a merchant, and no GET decides', async () => {
    const own = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
    const signedIn = await request(app.adminUrl)
      .post('/console/session')
      .set(own)
      .send({ token: 'the-admin-token-of-the-tests' })
      .expect(200);
    const cookie = (signedIn.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    const id = await requestOf(asks());
    const accept = (headers: Record<string, string>) =>
      request(app.adminUrl).post(`/console/api/install-requests/${id}/accept`).set('Cookie', cookie).set(headers);
    const foreign: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'cross-site', 'X-Tenon-Console': '1' },
      { 'Sec-Fetch-Site': 'same-site', 'X-Tenon-Console': '1' },
      { Origin: 'https://evil.example', 'X-Tenon-Console': '1' },
      { 'Sec-Fetch-Site': 'same-origin' },
    ];
    for (const headers of foreign) await accept(headers).send({}).expect(403);
    await accept(own).type('form').send('scopes=write_products').expect(403);
    await request(app.adminUrl)
      .get(`/console/api/install-requests/${id}/accept`)
      .set({ ...own, Cookie: cookie })
      .expect(405);
    expect(await installations()).toBe(0);
    await accept(own).send({}).expect(200);
  });

  it('clickjacking: no page can frame the page of the decision', async () => {
    const { headers } = await request(app.adminUrl).get(`/console/install?request=${UNKNOWN}`).expect(200);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('requests are limited by address, write nothing, and none drives out another', async () => {
    const limited = await openApp({ ROLE: 'api', CONSENT_URL, TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: '1' }, app);
    try {
      // More requests than the limit of a minute.
      const flood = Array.from({ length: 70 }, () => asksToInstall(limited, store, platform));
      expect((await Promise.all(flood)).map(({ status }) => status)).toContain(429);
    } finally {
      await limited.stop();
    }
    const rows = () => app.database.query('SELECT state FROM install_requests WHERE store_id = $1', [store.id]);
    const id = await requestOf(asks());
    for (let n = 0; n < 1_040; n += 20) await Promise.all(Array.from({ length: 20 }, () => requestOf(asks())));
    expect(await rows()).toEqual([]);
    await app.admin('get', `/admin/install-requests/${id}`).expect(200);
    await decide(id, 'accept').expect(200);
    expect(await rows()).toEqual([{ state: null }]);
  });

  it('with the largest state is decided, and its text is in no log', async () => {
    const state = `${'"'.repeat(1_023)}x`;
    const id = await requestOf(asks({ state }));
    const { body } = await decide(id, 'accept').expect(200);
    expect(new URL((body as { redirectUrl: string }).redirectUrl).searchParams.get('state')).toBe(state);
    const { body: audit } = await app.admin('get', `/admin/audit?take=5&storeId=${store.id}`).expect(200);
    expect(JSON.stringify(audit)).toContain('/admin/install-requests/tnn_ir_[cut]');
    for (const text of [app.log.join('\n'), JSON.stringify(audit)]) expect(text).not.toContain(id);
  });

  it('one that a process of version 0.1.0 has kept is decided by its id, once', async () => {
    await app.database.query(
      `INSERT INTO install_requests (store_id, id, app_id, scopes, redirect_url, state, expires_at)
       VALUES ($1, $2, $3, '{write_products}', $4, 'old', now() + interval '1 minute')`,
      [store.id, UNKNOWN, platform.id, platform.redirectUrl],
    );
    await app.admin('get', `/admin/install-requests/${UNKNOWN}`).expect(200);
    const { body } = await decide(UNKNOWN, 'accept').expect(200);
    expect(new URL((body as { redirectUrl: string }).redirectUrl).searchParams.get('state')).toBe('old');
    await decide(UNKNOWN, 'accept').expect(404);
  });
});
