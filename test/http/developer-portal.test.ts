import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type request from 'supertest';

import { openApp, type OpenApp, type TestStore, type Verb } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { aPlatformApp, installOn, tokenOn, type TestPlatformApp } from '../support/platform-apps.ts';

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
/** A host that no store has. */
const HOST = 'sandbox.example.com';
const BASE = '/apps/console';
const SCOPES = ['read_products', 'write_webhooks'];

interface Listed {
  readonly items: readonly { readonly id: string; readonly domain: string }[];
  readonly total: number;
  readonly next: string | null;
}

let server: OpenApp;
let platform: TestPlatformApp;
/** The app is on both. */
let store: TestStore;
let other: TestStore;
beforeAll(async () => {
  server = await openApp({ APP_CONSOLE: 'on', SANDBOX_DOMAIN: HOST, ROLE: 'api' });
});
afterAll(() => server.close());
beforeEach(async () => {
  platform = await aPlatformApp(server, { scopes: SCOPES, optionalScopes: ['read_orders'] });
  [store, other] = [await server.aStore(), await server.aStore()];
  for (const one of [store, other]) await installOn(server, one, platform);
});

const call = (verb: Verb, path: string, cookie = '', host = HOST, on = server) =>
  on
    .api(host, null)(verb, path)
    .set({ ...OWN_PAGE, ...(cookie !== '' && { Cookie: cookie }) });
const cookieOf = (answer: request.Response): string => (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
const signIn = (proof: object, host = HOST) => call('post', `${BASE}/session`, '', host).send(proof);
const proofOf = ({ clientId, clientSecret }: TestPlatformApp) => ({ clientId, clientSecret });
const signedIn = async (to = platform, host = HOST) => cookieOf(await signIn(proofOf(to), host).expect(200));
const list = async (cookie: string, query = ''): Promise<Listed> =>
  (await call('get', `${BASE}/api/installations${query}`, cookie).expect(200)).body as Listed;
const at = ({ domain }: TestStore, rest: string) => `${BASE}/at/${domain}/${rest}`;
const statusAt = async (cookie: string, of: TestStore) =>
  (await call('get', at(of, 'api/webhooks/subscriptions'), cookie)).status;
const admin = (verb: Verb, path = '', body: object = {}) =>
  server.admin(verb, `/admin/platform-apps/${platform.id}${path}`).send(body);
const aLink = async () => {
  const { body } = await admin('post', '/console-codes').expect(201);
  return new URL((body as { url: string }).url);
};
const codeOf = (link: URL) => ({ code: link.hash.slice('#code='.length) });

describe('the developer of a platform app', () => {
  it.each(['a host that no store has', 'the domain of a store'])('signs in with client id and secret, on %s', async (where) => {
    const host = where.includes('no store') ? HOST : (await server.aStore()).domain;
    const cookie = await signedIn(platform, host);
    const { body } = await call('get', `${BASE}/session`, cookie, host);
    expect(body).toEqual({ ok: true, platformApp: { id: platform.id, name: 'Stock sync' } });
  });

  it('signs in with a link of an operator, once', async () => {
    const link = await aLink();
    expect(`${link.origin}${link.pathname}`).toBe(`https://${HOST}/apps/console/`);
    const cookie = cookieOf(await signIn(codeOf(link)).expect(200));
    expect((await list(cookie)).total).toBe(2);
    await signIn(codeOf(link)).expect(401);
  });

  it('has no link where it would lead nowhere: 404 and 409', async () => {
    await server.admin('post', '/admin/platform-apps/019a0000-0000-7000-8000-000000000001/console-codes').expect(404);
    const off = await openApp({ SANDBOX_DOMAIN: HOST, ROLE: 'api' }, server);
    try {
      const refused = await off.admin('post', `/admin/platform-apps/${platform.id}/console-codes`).expect(409);
      expect(refused.body).toMatchObject({ detail: 'The app console is off. Set APP_CONSOLE to on.' });
    } finally {
      await off.stop();
    }
    await admin('patch', '', { status: 'Suspended' }).expect(200);
    expect((await admin('post', '/console-codes').expect(409)).body).toMatchObject({ detail: 'The app is suspended.' });
  });

  it('is refused with a wrong secret, in one sentence, and counts like a token request', async () => {
    const another = await aPlatformApp(server);
    const wrong = [
      { ...proofOf(platform), clientSecret: another.clientSecret },
      { ...proofOf(platform), clientId: another.clientId },
    ];
    const details = [];
    for (const proof of [...wrong, { clientId: 'x', clientSecret: 'y' }])
      details.push(((await signIn(proof).expect(401)).body as { detail: string }).detail);
    expect(new Set(details).size).toBe(1);
    const limits = { TOKEN_RATE_LIMIT_PER_SECOND: '1', TOKEN_RATE_LIMIT_BURST: '2' };
    const limited = await openApp({ APP_CONSOLE: 'on', ROLE: 'api', ...limits }, server);
    try {
      const statuses = [];
      for (let n = 0; n < 3; n += 1)
        statuses.push((await call('post', `${BASE}/session`, '', HOST, limited).send(wrong[0] ?? {})).status);
      expect(statuses).toEqual([401, 401, 429]);
      await limited.api(HOST, null)('get', '/apps/sandboxes').auth(platform.clientId, another.clientSecret).expect(429);
      await limited.api(HOST, null)('get', '/apps/sandboxes').auth(platform.clientId, platform.clientSecret).expect(200);
    } finally {
      await limited.stop();
    }
  });

  it('has a sign-in in the audit log, which says whether a secret or a link opened the session', async () => {
    await signedIn();
    await signIn(codeOf(await aLink())).expect(200);
    const { body } = await server.admin('get', '/admin/audit?take=10').expect(200);
    const entries = (body as { items: { operator: string; what: string; body: unknown }[] }).items;
    expect(entries.slice(0, 3)).toMatchObject([
      { operator: 'Developer of Stock sync', operatorId: null, what: 'Sign in to the app console with a link' },
      { what: 'Create a link to the app console for a developer' },
      { operator: 'Developer of Stock sync', what: 'Sign in to the app console with the client secret' },
    ]);
    expect(entries[0]?.body).toEqual({ clientId: platform.clientId });
  });

  it('leaves neither secret, session nor code in the log or in a table', async () => {
    const code = codeOf(await aLink());
    const cookies = [cookieOf(await signIn(code).expect(200)), await signedIn()];
    for (const cookie of cookies) await list(cookie);
    const rows = await server.database.query('SELECT to_jsonb(s)::text AS row FROM developer_sessions s');
    const audit = await server.database.query('SELECT to_jsonb(s)::text AS row FROM audit_log s');
    const kept = server.log.join('\n') + JSON.stringify([rows, audit]);
    expect(kept).toContain('"developer":"Link"');
    for (const secret of [code.code, platform.clientSecret, ...cookies.map((cookie) => cookie.split('=')[1] ?? '')])
      expect(kept).not.toContain(secret);
  });
});

describe('the list of installations', () => {
  it('has the store, the scopes, the deliveries and the refusals of each, oldest first', async () => {
    await admin('patch', '', { scopes: [...SCOPES, 'read_content'] }).expect(200);
    const token = await tokenOn(server, store, platform);
    await server.api(store.domain, token)('get', '/apps/catalog/products/019a0000-0000-7000-8000-000000000001').expect(404);
    const cookie = await signedIn();
    await eventually(async () => {
      expect(await list(cookie)).toMatchObject({
        total: 2,
        next: null,
        items: [
          {
            ...{ storeId: store.id, domain: store.domain, storeName: store.domain, storeStatus: 'Active', isSandbox: false },
            ...{ status: 'Installed', scopes: SCOPES, pendingScopes: ['read_content'], uninstalledAt: null },
            deliveries: { delivered: 0, failing: 0, waiting: 0, isComplete: true },
            refusals: { count: 1, isComplete: true },
          },
          { storeId: other.id, refusals: { count: 0 } },
        ],
      });
    });
  });

  it('says what was suspended and uninstalled, and marks a sandbox store', async () => {
    const [first, second] = (await list(await signedIn())).items;
    await server
      .admin('patch', `/admin/apps/${first?.id ?? ''}`)
      .send({ status: 'Suspended' })
      .expect(200);
    await server.admin('post', `/admin/apps/${second?.id ?? ''}/uninstall`).expect(204);
    await server.api(HOST, null)('put', '/apps/sandboxes/ci').auth(platform.clientId, platform.clientSecret).expect(200);
    const cookie = await signedIn();
    expect((await list(cookie)).items).toMatchObject([
      { status: 'Suspended', isSandbox: false },
      {
        ...{ status: 'Uninstalled', pendingScopes: [], uninstalledAt: expect.any(String) as string },
        ...{ storeId: other.id, domain: null, storeName: null, storeStatus: null, isSandbox: null },
      },
      { status: 'Installed', isSandbox: true, storeName: 'ci' },
    ]);
    // Nothing is shown of a store that may not call, and of another store.
    expect([await statusAt(cookie, store), await statusAt(cookie, other)]).toEqual([401, 401]);
  });

  it('comes in pages by a cursor', async () => {
    const cookie = await signedIn();
    const first = await list(cookie, '?take=1');
    const second = await list(cookie, `?take=1&after=${first.next ?? ''}`);
    expect([first, second].map(({ items, total }) => [items.map(({ domain }) => domain), total])).toEqual([
      [[store.domain], 2],
      [[other.domain], 2],
    ]);
    expect(second.next).toBeNull();
    await call('get', `${BASE}/api/installations?after=x`, cookie).expect(400);
  });

  it("is searched by the store's domain or name", async () => {
    await server.admin('patch', `/admin/stores/${other.id}`).send({ name: 'Sunrise Tools' }).expect(200);
    const cookie = await signedIn();
    const found = async (q: string) => (await list(cookie, `?q=${q}`)).items.map(({ domain }) => domain);
    expect(await found('RISE%20t')).toEqual([other.domain]);
    expect(await found(store.domain.slice(0, -3))).toEqual([store.domain]);
    expect(await found(platform.id)).toEqual([]);
  });
});

describe('the pages of one installation', () => {
  it('answer below the domain of its store as they do for a session of that installation', async () => {
    const cookie = await signedIn();
    const [installed] = (await list(cookie)).items;
    const { body } = await call('get', at(store, 'session'), cookie).expect(200);
    expect(body).toEqual({
      ok: true,
      store: { id: store.id, name: store.domain, domain: store.domain },
      installation: { id: installed?.id, name: 'Stock sync', scopes: SCOPES },
      platformApp: { id: platform.id, name: 'Stock sync' },
    });
    const wanted = { url: 'https://hooks.example.com/x', eventTypes: ['product.updated'] };
    await call('post', at(store, 'api/webhooks/subscriptions'), cookie).send(wanted).expect(200);
    const subscriptions = async (of: TestStore) =>
      (await call('get', at(of, 'api/receivers'), cookie).expect(200)).body as { total: number };
    expect([(await subscriptions(store)).total, (await subscriptions(other)).total]).toEqual([1, 0]);
    const page = await server.api(HOST, null)('get', at(store, 'deliveries'));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<meta name="tenon-console" content="app">')]);
  });

  it.each(['not-a-domain', 'x.example', '%00', '%ED%A0%80', '..%2F..'])('do not exist at %j', async (place) => {
    const { status } = await call('get', `${BASE}/at/${place}/api/webhooks/subscriptions`, await signedIn());
    expect(status).toBeOneOf([401, 404]);
  });

  it('a session of one installation reaches no other by the path', async () => {
    const app = await server.anApp(store);
    const cookie = cookieOf(await signIn({ clientId: app.clientId, clientSecret: app.clientSecret }, store.domain).expect(200));
    expect(await statusAt(cookie, other)).toBe(401);
    expect((await call('get', at(other, 'session'), cookie)).body).toEqual({ ok: false });
    const refused = await call('get', `${BASE}/api/installations`, cookie, store.domain).expect(401);
    // HTTP Basic would have a browser ask for a password.
    expect(refused.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('a session of a developer ends with', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['the client secret', () => admin('post', '/rotate-client-secret', { overlapSeconds: 0 }).expect(200)],
    ['the suspension of the app', () => admin('patch', '', { status: 'Suspended' }).expect(200)],
    ['the deletion of the app', () => server.database.query('DELETE FROM platform_apps WHERE id = $1', [platform.id])],
  ])('%s, from the next request on every node, however it was opened', async (name, end) => {
    const node = await openApp({ APP_CONSOLE: 'on', ROLE: 'api' }, server);
    try {
      const cookies = [await signedIn(), cookieOf(await signIn(codeOf(await aLink())).expect(200))];
      const code = codeOf(await aLink());
      const port = (on: OpenApp) => new URL(on.url).port;
      const statuses = async () => {
        const found = [];
        for (const on of [server, node]) {
          for (const cookie of cookies) {
            const there = cookie.replace(port(server), port(on));
            for (const path of ['api/installations', `at/${store.domain}/api/webhooks/subscriptions`])
              found.push((await call('get', `${BASE}/${path}`, there, HOST, on)).status);
          }
        }
        return [...new Set(found)];
      };
      expect(await statuses()).toEqual([200]);
      await end();
      expect(await statuses()).toEqual([401]);
      await signIn(code).expect(401);
      await signIn(proofOf(platform)).expect(401);
      if (name === 'the suspension of the app') {
        await admin('patch', '', { status: 'Active' }).expect(200);
        expect(await statuses()).toEqual([401]);
      }
    } finally {
      await node.stop();
    }
  });

  it('the old secret once its overlap is over, and one that the new secret opened stays', async () => {
    const [old, link] = [await signedIn(), cookieOf(await signIn(codeOf(await aLink())).expect(200))];
    const { body } = await admin('post', '/rotate-client-secret', { overlapSeconds: 600 }).expect(200);
    const late = await signedIn();
    const fresh = await signedIn({ ...platform, ...(body as { clientSecret: string }) });
    const statuses = () => Promise.all([old, link, late, fresh].map((cookie) => statusAt(cookie, store)));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await server.database.query(
      "UPDATE platform_client_secrets SET expires_at = expires_at - interval '600 seconds' WHERE app_id = $1",
      [platform.id],
    );
    expect(await statuses()).toEqual([401, 401, 401, 200]);
  });

  it('its sign-out, from any page', async () => {
    const [one, another] = [await signedIn(), await signedIn()];
    await call('delete', at(store, 'session'), one).expect(204);
    expect([await statusAt(one, store), await statusAt(another, store)]).toEqual([401, 200]);
  });
});
