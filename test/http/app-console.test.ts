import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import request from 'supertest';

import { adminRoutes } from '../../src/adapters/http/routes.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestApp, type TestStore, type Verb } from '../support/app.ts';

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
const PROBLEM = 'application/problem+json';

type Headers = Readonly<Record<string, string>>;

let server: OpenApp;
let store: TestStore;
let app: TestApp;
beforeAll(async () => {
  server = await openApp({ APP_CONSOLE: 'on', ROLE: 'api' });
});
afterAll(() => server.close());
beforeEach(async () => {
  store = await server.aStore();
  app = await server.anApp(store);
});

/** A request as a page of the app's console sends it, on the store's domain. */
const call = (verb: Verb, path: string, headers: Headers = {}, domain = store.domain) =>
  server
    .api(domain, null)(verb, path)
    .set({ ...OWN_PAGE, ...headers });
const proofOf = ({ clientId, clientSecret }: TestApp) => ({ clientId, clientSecret });
const signIn = (proof: object, domain = store.domain) => call('post', '/apps/console/session', {}, domain).send(proof);
const cookieOf = (answer: request.Response): { Cookie: string } => ({
  Cookie: (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '',
});
const signedIn = async (to = app) => cookieOf(await signIn(proofOf(to), to.store.domain).expect(200));
const statusOf = async (cookie: Headers, headers: Headers = {}) =>
  (await call('get', '/apps/console/api/catalog/products', { ...cookie, ...headers })).status;
const aLink = async (to = app): Promise<{ url: string; expiresAt: string; code: string }> => {
  const { body } = await server.admin('post', `/admin/apps/${to.id}/console-codes`).expect(201);
  const { url } = body as { url: string };
  return { ...(body as { url: string; expiresAt: string }), code: new URL(url).hash.slice('#code='.length) };
};

describe('the console of an app', () => {
  it('is off by default: 404, and the merchant can make no link', async () => {
    const off = await openApp({}, server);
    try {
      for (const path of ['/apps/console', '/apps/console/session', '/apps/console/api/catalog/products']) {
        const answer = await request(off.url)
          .get(path)
          .set({ ...OWN_PAGE, Host: store.domain });
        expect([path, answer.status, answer.body]).toMatchObject([path, 404, { code: 'not_found' }]);
      }
      const link = await off.admin('post', `/admin/apps/${app.id}/console-codes`);
      expect([link.status, link.body]).toMatchObject([409, { detail: 'The app console is off. Set APP_CONSOLE to on.' }]);
    } finally {
      await off.stop();
    }
  });

  it('has pages and assets on the domain of every store', async () => {
    const page = await server.api(store.domain, null)('get', '/apps/console/deliveries');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<meta name="tenon-console" content="app">')]);
    expect(page.headers).toMatchObject({ 'content-security-policy': expect.stringContaining("trusted-types 'none'") as string });
    const [, script = ''] = /src="(\/apps\/console\/assets\/[^"]+)"/.exec(page.text) ?? [];
    await server.api(store.domain, null)('get', script).expect(200);
  });

  it('is signed in to with client id and secret, by a cookie below its own path', async () => {
    const answer = await signIn(proofOf(app));
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    const name = `tenon_console_${new URL(server.url).port}`;
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^${name}=tnn_session_\\w{49}; Path=/apps/console; Max-Age=28800; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    expect(await statusOf(cookieOf(answer))).toBe(200);
  });

  it('is signed in to with a link of the merchant, once', async () => {
    const { url, code, expiresAt } = await aLink();
    expect(url).toBe(`https://${store.domain}/apps/console/#code=${code}`);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(601_000);
    const first = await signIn({ code });
    expect([first.status, await statusOf(cookieOf(first))]).toEqual([200, 200]);
    await signIn({ code }).expect(401);
  });

  it('a look at a link says whose it is, to the holder of the code alone, and does not use it', async () => {
    const { code } = await aLink();
    const look = (body: object, domain = store.domain) => call('post', '/apps/console/session/code', {}, domain).send(body);
    for (let times = 0; times < 2; times += 1) {
      const looked = await look({ code }).expect(200);
      expect([looked.body, looked.headers['set-cookie']]).toEqual([{ name: 'App' }, undefined]);
    }
    await signIn({ code }).expect(200);
    const answers = [await look({ code }), await look({ code: 'wrong' })];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(new Set(answers.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
    await look({}).expect(400);
  });

  it('a link leads to this machine where the store is on it', async () => {
    const local = await server.aStore('shop.localhost');
    expect((await aLink(await server.anApp(local))).url).toMatch(/^http:\/\/shop\.localhost:\d+\/apps\/console\/#code=/);
  });

  it('has no link for an app that may not call: 404 and 409', async () => {
    await server.admin('post', '/admin/apps/019a0000-0000-7000-8000-000000000001/console-codes').expect(404);
    await server.admin('post', `/admin/apps/${app.id}/uninstall`).expect(204);
    await server.admin('post', `/admin/apps/${app.id}/console-codes`).expect(409);
  });

  it('refuses what does not fit, in one sentence for every reason', async () => {
    const other = await server.aStore();
    const elsewhere = await server.anApp(other);
    const { code } = await aLink(elsewhere);
    const suspended = await server.anApp(store);
    await server.admin('patch', `/admin/apps/${suspended.id}`).send({ status: 'Suspended' }).expect(200);
    const merchants = ((await server.admin('post', '/admin/console-codes').expect(201)).body as { code: string }).code;
    const wrong = [
      { ...proofOf(app), clientSecret: elsewhere.clientSecret },
      { ...proofOf(app), clientSecret: 'wrong' },
      { ...proofOf(app), clientId: 'wrong' },
      proofOf(elsewhere),
      proofOf(suspended),
      { code },
      { code: merchants },
      { code: 'wrong' },
    ];
    const texts = new Set<string>();
    for (const proof of wrong) {
      const answer = await signIn(proof);
      expect([proof, answer.status, answer.type, answer.headers['set-cookie']]).toEqual([proof, 401, PROBLEM, undefined]);
      texts.add((answer.body as { detail: string }).detail);
    }
    expect(texts.size).toBe(1);
    for (const proof of [{}, { token: ADMIN_TOKEN }, { clientId: app.clientId }]) await signIn(proof).expect(400);
    expect(await signIn({ code }, other.domain)).toMatchObject({ status: 200 });
  });

  it('has the limits of the token route', async () => {
    const limited = await openApp(
      { APP_CONSOLE: 'on', TOKEN_RATE_LIMIT_PER_SECOND: '1', TOKEN_RATE_LIMIT_BURST: '2', ROLE: 'api' },
      server,
    );
    try {
      const statuses = [];
      for (let n = 0; n < 4; n += 1) {
        const sent = request(limited.url)
          .post('/apps/console/session')
          .set({ ...OWN_PAGE, Host: store.domain });
        statuses.push((await sent.send({ ...proofOf(app), clientSecret: 'wrong' })).status);
      }
      expect(statuses).toEqual([401, 401, 429, 429]);
      const form = { grant_type: 'client_credentials', client_id: app.clientId, client_secret: 'wrong' };
      const ask = (sent: object) => limited.api(store.domain, null)('post', '/apps/token').type('form').send(sent);
      await ask(form).expect(429);
      await ask({ ...form, client_secret: app.clientSecret }).expect(200);
    } finally {
      await limited.stop();
    }
  });
});

describe('a session of an app', () => {
  it('says whose it is', async () => {
    expect((await call('get', '/apps/console/session')).body).toEqual({ ok: false });
    const { body } = await call('get', '/apps/console/session', await signedIn());
    expect(body).toEqual({
      ok: true,
      store: { id: store.id, name: expect.any(String) as string, domain: store.domain },
      installation: { id: app.id, name: 'App', scopes: expect.arrayContaining(['write_products']) as string[] },
    });
  });

  it('calls as the installation, with its present scopes and its keys for idempotency', async () => {
    const [product = ''] = await server.importProducts(store, [{ name: 'Saw' }]);
    const cookie = await signedIn();
    const bulk = (via: Headers, path: string) => {
      const headers = { ...via, 'Idempotency-Key': 'one' };
      return call('post', path, headers).send({ products: [{ id: product, name: 'Plane' }] });
    };
    const first = await bulk(cookie, '/apps/console/api/catalog/products/bulk');
    expect([first.status, first.body]).toMatchObject([200, { succeeded: 1 }]);
    const again = await bulk(cookie, '/apps/console/api/catalog/products/bulk');
    expect([again.headers['idempotent-replay'], again.text]).toEqual(['true', first.text]);
    const direct = await bulk({ Authorization: `Bearer ${await server.token(app)}` }, '/apps/catalog/products/bulk');
    expect([direct.headers['idempotent-replay'], direct.text]).toEqual(['true', first.text]);
    await call('post', '/apps/console/api/catalog/products/bulk', cookie).send({ products: [] }).expect(400);
    await server
      .admin('patch', `/admin/apps/${app.id}`)
      .send({ scopes: ['read_webhooks'] })
      .expect(200);
    expect(await statusOf(cookie)).toBe(403);
  });

  it('reaches every kind of app route, custom data included, and the document of the app API', async () => {
    const cookie = await signedIn();
    const note = { name: 'Note', fields: [{ key: 'title', type: 'single_line_text' }] };
    await server.admin('put', `/admin/stores/${store.id}/metaobject-definitions/note`).send(note).expect(200);
    const path = '/apps/console/api/custom-data/metaobjects/note/entries/one';
    await call('put', path, cookie)
      .send({ fields: { title: 'x' } })
      .expect(200);
    for (const rest of ['webhooks/subscriptions', 'events', 'webhooks/deliveries']) {
      await call('get', `/apps/console/api/${rest}`, cookie).expect(200);
    }
    const { body, headers } = await call('get', '/apps/console/api/openapi.json', cookie).expect(200);
    expect([body, headers['cache-control']]).toMatchObject([{ info: { title: 'Tenon app API' } }, 'no-store']);
  });

  it.each(adminRoutes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    'does not reach %s',
    async (_title, { method, path }) => {
      const cookie = await signedIn();
      const ids: Readonly<Record<string, string>> = { ':storeId': store.id, ':installationId': app.id };
      const asked = path.replace(/:\w+/g, (name) => ids[name] ?? app.id);
      const rest = asked.replace('/admin', '');
      const paths = [`/apps/console/api${rest}`, `/apps/console/api/admin${rest}`, `/console/api${rest}`];
      for (const one of [...paths, `/apps/console/api/../../../admin${rest}`, asked]) {
        const answer = await call(method, one, cookie).send({});
        expect([one, answer.status]).toEqual([one, expect.toBeOneOf([404, 405])]);
      }
      const onAdmin = request(server.adminUrl);
      const there = await onAdmin[method](`/console/api${rest}`)
        .set({ ...OWN_PAGE, ...cookie })
        .send({});
      expect(there.status).toBeOneOf([401, 404]);
    },
    120_000,
  );

  it('is of no use for another store, another console, or the app API itself', async () => {
    const cookie = await signedIn();
    const other = await server.aStore();
    const answer = await call('get', '/apps/console/api/catalog/products', cookie, other.domain);
    expect([answer.status, answer.text]).toEqual([401, '']);
    expect((await call('get', '/apps/console/session', cookie, other.domain)).body).toEqual({ ok: false });
    await call('get', '/apps/catalog/products', cookie).expect(401);
    const session = cookie.Cookie.split('=')[1] ?? '';
    await call('get', '/apps/catalog/products', { Authorization: `Bearer ${session}` }).expect(401);
    const named = { ...OWN_PAGE, Cookie: `tenon_console_${new URL(server.adminUrl).port}=${session}` };
    await request(server.adminUrl).get('/console/api/stores').set(named).expect(401);
  });

  it("a merchant's session and an access token are of no use in it", async () => {
    const merchant = await request(server.adminUrl).post('/console/session').set(OWN_PAGE).send({ token: ADMIN_TOKEN });
    const session = cookieOf(merchant).Cookie.split('=')[1] ?? '';
    const name = `tenon_console_${new URL(server.url).port}`;
    expect(await statusOf({ Cookie: `${name}=${session}` })).toBe(401);
    expect(await statusOf({ Cookie: `${name}=${await server.token(app)}` })).toBe(401);
    expect(await statusOf({ Authorization: `Bearer ${await server.token(app)}` })).toBe(401);
  });

  describe('ends with', () => {
    const admin = (verb: Verb, path: string, body: object = {}) => server.admin(verb, `/admin/apps/${app.id}${path}`).send(body);
    it.each<[string, () => Promise<unknown>, number]>([
      ['the uninstallation', () => admin('post', '/uninstall').expect(204), 401],
      ['the suspension', () => admin('patch', '', { status: 'Suspended' }).expect(200), 401],
      ['the revocation of tokens', () => admin('post', '/revoke-tokens').expect(204), 401],
      ['the client secret', () => admin('post', '/rotate-client-secret', { overlapSeconds: 0 }).expect(200), 401],
      ['the store', () => server.admin('patch', `/admin/stores/${store.id}`).send({ status: 'Inactive' }).expect(200), 401],
      ['a sign-out', async () => undefined, 200],
    ])('%s', async (name, end, status) => {
      const cookie = await signedIn();
      const { code } = await aLink();
      await end();
      expect(await statusOf(cookie)).toBe(status);
      if (name === 'a sign-out') {
        await call('delete', '/apps/console/session', cookie).expect(204);
        expect(await statusOf(cookie)).toBe(401);
      } else await signIn({ code }).expect(401);
    });

    it('but not before the old client secret does', async () => {
      const cookie = await signedIn();
      await admin('post', '/rotate-client-secret', { overlapSeconds: 600 }).expect(200);
      expect(await statusOf(cookie)).toBe(200);
      const [row] = await server.database.query<{ left: number }>(
        "SELECT extract(epoch FROM max(ends_at) - now())::int AS left FROM app_console_sessions WHERE installation_id = $1 AND kind = 'Session'",
        [app.id],
      );
      expect(row?.left).toBeLessThanOrEqual(600);
    });

    it('30 minutes without a request', async () => {
      const cookie = await signedIn();
      const pass = (minutes: number) =>
        server.database.query('UPDATE app_console_sessions SET expires_at = expires_at - make_interval(mins => $1)', [minutes]);
      await pass(20);
      expect(await statusOf(cookie)).toBe(200);
      await pass(29);
      expect(await statusOf(cookie)).toBe(200);
      await pass(31);
      expect(await statusOf(cookie)).toBe(401);
    });
  });

  it('is refused for what no page of the console sends', async () => {
    const cookie = await signedIn();
    for (const headers of [{ 'Sec-Fetch-Site': 'same-site' }, { 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'none' }]) {
      const answer = await call('get', '/apps/console/api/catalog/products', { ...cookie, ...headers });
      expect([answer.status, answer.type]).toEqual([403, PROBLEM]);
    }
    const path = '/apps/console/api/webhooks/subscriptions';
    const bare = server
      .api(store.domain, null)('post', path)
      .set({ ...cookie, 'Sec-Fetch-Site': 'same-origin' });
    expect((await bare.send({})).status).toBe(403);
    expect((await call('post', path, cookie).type('text/plain').send('{}')).status).toBe(403);
    expect(await statusOf(cookie, { Host: 'evil.example' })).toBe(401);
  });

  it('counts in the rate limit of its installation', async () => {
    const cookie = await signedIn();
    const { headers } = await call('get', '/apps/console/api/catalog/products', cookie);
    expect(headers['ratelimit']).toMatch(/^"installation";/);
  });

  it('leaves neither session nor code in the log or in a table', async () => {
    const { code } = await aLink();
    const cookie = cookieOf(await signIn({ code }));
    await statusOf(cookie);
    const secrets = [code, cookie.Cookie.split('=')[1] ?? ''];
    const rows = await server.database.query('SELECT to_jsonb(s)::text AS row FROM app_console_sessions s');
    for (const secret of secrets) expect(server.log.join('\n') + JSON.stringify(rows)).not.toContain(secret);
  });
});
