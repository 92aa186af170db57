import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import request from 'supertest';

import { ADMIN_TOKEN, openApp, type OpenApp, type Verb } from '../support/app.ts';

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
const PROBLEM = 'application/problem+json';

type Headers = Readonly<Record<string, string>>;

let server: OpenApp;
const SECRET_KEYS = `test:${randomBytes(32).toString('base64')}`;
beforeAll(async () => {
  server = await openApp({ CONSOLE_HOSTS: 'Console.Example.com', TRUSTED_PROXIES: '127.0.0.1', SECRET_KEYS });
});
afterAll(() => server.close());

/** A request as a page of the console sends it. */
const call = (verb: Verb, path: string, headers: Headers = {}, to = server) => {
  const agent = request(to.adminUrl);
  return agent[verb](path).set({ ...OWN_PAGE, ...headers });
};
const signIn = (proof: object, headers: Headers = {}, to = server) => call('post', '/console/session', headers, to).send(proof);
const cookieOf = (answer: request.Response): string => (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
const nameOn = (to: OpenApp): string => `tenon_console_${new URL(to.adminUrl).port}`;
/** Signs in with the admin token; gives the cookie. */
const signedIn = async (): Promise<{ Cookie: string }> => ({
  Cookie: cookieOf(await signIn({ token: ADMIN_TOKEN }).expect(200)),
});
const aCode = async (): Promise<{ code: string; path: string; expiresAt: string }> =>
  (await server.admin('post', '/admin/console-codes').expect(201)).body;
const statusOf = async (cookie: Headers, headers: Headers = {}) =>
  (await call('get', '/console/api/stores', { ...cookie, ...headers })).status;

describe('signing in', () => {
  it('with the admin token sets the cookie that was planned', async () => {
    const answer = await signIn({ token: ADMIN_TOKEN });
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^${nameOn(server)}=tnn_session_\\w{49}; Path=/console; Max-Age=28800; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(await statusOf({ Cookie: cookieOf(answer) })).toBe(200);
  });

  it('over https, by a proxy that is trusted, marks the cookie Secure', async () => {
    const answer = await signIn({ token: ADMIN_TOKEN }, { 'X-Forwarded-Proto': 'https' });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Secure$/);
  });

  it('with a link works once', async () => {
    const { code, path, expiresAt } = await aCode();
    expect(path).toBe(`/console/#code=${code}`);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    expect([minutes > 8, minutes <= 10.1]).toEqual([true, true]);
    const first = await signIn({ code });
    expect([first.status, await statusOf({ Cookie: cookieOf(first) })]).toEqual([200, 200]);
    const second = await signIn({ code });
    expect([second.status, second.type, second.headers['set-cookie']]).toEqual([401, PROBLEM, undefined]);
  });

  it('a look at a link says who it signs in, to the holder of the code alone, and does not use it', async () => {
    const look = (body: object, to = server) => call('post', '/console/session/code', {}, to).send(body);
    const { code } = await aCode();
    for (let times = 0; times < 2; times += 1) {
      const looked = await look({ code }).expect(200);
      expect([looked.body, looked.headers['set-cookie']]).toEqual([{ name: 'Owner' }, undefined]);
    }
    await signIn({ code }).expect(200);
    for (const gone of [code, `${code.slice(0, -1)}x`, 'wrong']) {
      const refused = await look({ code: gone }).expect(401);
      expect([refused.type, refused.headers['www-authenticate']]).toEqual([PROBLEM, 'Bearer']);
    }
    await look({}).expect(400);
    await call('get', '/console/session/code').expect(405);
  });

  it('with a link that is older than 10 minutes is refused', async () => {
    const { code } = await aCode();
    await server.database.query(
      "UPDATE console_sessions SET expires_at = expires_at - interval '10 minutes' WHERE kind = 'Code'",
    );
    await signIn({ code }).expect(401);
  });

  it.each([
    [{ token: 'wrong' }, 401],
    [{ code: 'wrong' }, 401],
    [{}, 400],
    [{ token: 1 }, 400],
    [[], 400],
  ])('with %j is refused: %s', async (proof, status) => {
    const answer = await signIn(proof);
    expect([answer.status, answer.type, answer.headers['set-cookie']]).toEqual([status, PROBLEM, undefined]);
  });

  it('a body that is not JSON, or too large, is refused', async () => {
    await call('post', '/console/session').type('application/json').send('{').expect(400);
    await call('post', '/console/session').type('application/xml').send('<a/>').expect(415);
    await signIn({ token: 'x'.repeat(20_000) }).expect(413);
  });

  it('is limited like wrong admin tokens, which count together, and a right code signs in', async () => {
    const limited = await openApp({ TRUSTED_PROXIES: '127.0.0.1', ADMIN_FAILURES_PER_MINUTE: '3' }, server);
    try {
      const from = { 'X-Forwarded-For': '203.0.113.9' };
      await signIn({ token: 'wrong' }, from, limited).expect(401);
      await call('post', '/console/session/code', from, limited).send({ code: 'wrong' }).expect(401);
      await request(limited.adminUrl).get('/admin/stores').set(from).set('Authorization', 'Bearer wrong').expect(401);
      for (const proof of [{ token: 'wrong' }, { token: ADMIN_TOKEN }]) {
        const answer = await signIn(proof, from, limited);
        expect([answer.status, answer.type, Number(answer.headers['retry-after']) > 0]).toEqual([429, PROBLEM, true]);
      }
      await signIn({ code: 'wrong' }, from, limited).expect(429);
      await signIn(await aCode(), from, limited).expect(200);
      await signIn({ token: ADMIN_TOKEN }, { 'X-Forwarded-For': '203.0.113.10' }, limited).expect(200);
    } finally {
      await limited.stop();
    }
  });

  it('leaves no session, code or token in the log or in a table', async () => {
    const { code } = await aCode();
    const { Cookie } = await signedIn();
    await signIn({ code }).expect(200);
    const session = Cookie.split('=')[1] ?? '';
    await call('get', `/console/api/${session}`, { Cookie }).expect(404);
    for (const secret of [code, session, ADMIN_TOKEN]) expect(server.log.join('\n')).not.toContain(secret);
    const rows = await server.database.query('SELECT to_jsonb(s)::text AS row FROM console_sessions s');
    for (const secret of [code, session]) expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('the session', () => {
  it('GET says whether somebody is signed in, also the first time', async () => {
    const first = await call('get', '/console/session');
    expect([first.status, first.body, first.headers['cache-control']]).toEqual([
      200,
      { ok: false, ways: { passkey: false, provider: null } },
      'no-store',
    ]);
    const cookie = await signedIn();
    const operator = { operatorId: null, name: 'Owner', role: 'owner', storeIds: null, sessionId: expect.any(String) as string };
    expect((await call('get', '/console/session', cookie)).body).toEqual({ ok: true, operator });
    const wrong = { Cookie: `${nameOn(server)}=wrong` };
    expect((await call('get', '/console/session', wrong)).body).toMatchObject({ ok: false });
  });

  it('DELETE ends it and clears the cookie', async () => {
    const cookie = await signedIn();
    const other = await signedIn();
    const answer = await call('delete', '/console/session', cookie);
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']?.[0]).toMatch(new RegExp(`^${nameOn(server)}=; Path=/console; Max-Age=0; HttpOnly;`));
    expect([await statusOf(cookie), await statusOf(other)]).toEqual([401, 200]);
    await call('delete', '/console/session').expect(204);
  });

  it('ends after 30 minutes without a request, and a request keeps it', async () => {
    const [used, idle] = [await signedIn(), await signedIn()];
    const pass = (minutes: number) =>
      server.database.query('UPDATE console_sessions SET expires_at = expires_at - make_interval(mins => $1)', [minutes]);
    await pass(20);
    expect(await statusOf(used)).toBe(200);
    await pass(20);
    expect([await statusOf(used), await statusOf(idle)]).toEqual([200, 401]);
  });

  it('ends when ADMIN_TOKEN changes, with its codes', async () => {
    const session = (await signedIn()).Cookie.split('=')[1] ?? '';
    const { code } = await aCode();
    const settings = { SECRET_KEYS, ADMIN_TOKEN: 'another-admin-token-of-the-tests' };
    const [changed, same] = [await openApp(settings, server), await openApp({ SECRET_KEYS }, server)];
    try {
      const on = (to: OpenApp) => call('get', '/console/api/stores', { Cookie: `${nameOn(to)}=${session}` }, to);
      expect([(await on(changed)).status, (await on(same)).status]).toEqual([401, 200]);
      expect([(await signIn({ code }, {}, changed)).status, (await signIn({ code }, {}, same)).status]).toEqual([401, 200]);
    } finally {
      await changed.stop();
      await same.stop();
    }
  });

  it('other methods get 405 with Allow', async () => {
    const answer = await call('put', '/console/session').send({});
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, POST, DELETE, OPTIONS']);
  });
});

describe('the API of the console', () => {
  it('serves the admin routes to a session', async () => {
    const cookie = await signedIn();
    const made = await call('post', '/console/api/stores', cookie).send({ domain: 'of-the-console.example' });
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    const { id } = made.body as { id: string };
    const read = await call('get', `/console/api/stores/${id}?x=1`, cookie);
    expect([read.status, read.body]).toMatchObject([200, { domain: 'of-the-console.example' }]);
    const imported = await call('post', `/console/api/stores/${id}/products/import`, cookie)
      .type('application/x-ndjson')
      .send('{"name":"Saw"}\n');
    expect([imported.status, imported.body]).toMatchObject([200, { created: 1 }]);
    const csv = await call('post', `/console/api/stores/${id}/products/import`, cookie)
      .type('text/csv')
      .send('Handle,Title\nsaw,Saw\n');
    expect(csv.status).toBe(200);
    const missing = await call('get', '/console/api/stores/019a0000-0000-7000-8000-000000000001', cookie);
    expect([missing.status, missing.type]).toEqual([404, PROBLEM]);
  });

  it('without a session, with a wrong one, or with the admin token alone: 401', async () => {
    const session = `tnn_session_${'0'.repeat(49)}`;
    const { Cookie } = await signedIn();
    const attempts: Headers[] = [
      {},
      { Cookie: `${nameOn(server)}=${session}` },
      { Cookie: Cookie.replace(nameOn(server), 'tenon_console_1') },
      { Cookie: `${Cookie}; ${Cookie}` },
      { Authorization: `Bearer ${ADMIN_TOKEN}` },
    ];
    for (const headers of attempts) {
      const answer = await call('get', '/console/api/stores', headers);
      expect([answer.status, answer.body]).toMatchObject([401, { code: 'unauthenticated' }]);
    }
  });

  it('a session is of no use outside the console', async () => {
    const answer = await call('get', '/admin/stores', await signedIn());
    expect(answer.status).toBe(401);
  });

  it('a session cannot make a code, and so ends', async () => {
    const answer = await call('post', '/console/api/console-codes', await signedIn()).send({});
    expect(answer.status).toBe(404);
  });

  it.each(['/console/api', '/console/api/', '/console/api/unknown', '/console/api/../stores', '/console/api/metrics'])(
    '%s is not a path of it',
    async (path) => {
      const answer = await call('get', path, await signedIn());
      expect([answer.status, answer.type]).toEqual([404, PROBLEM]);
    },
  );

  it('has the OpenAPI documents of both listeners', async () => {
    const cookie = await signedIn();
    const titles = [];
    for (const query of ['', '?listener=admin', '?listener=app']) {
      const { body } = await call('get', `/console/api/openapi.json${query}`, cookie).expect(200);
      titles.push((body as { info: { title: string } }).info.title);
    }
    expect(titles).toEqual(['Tenon admin API', 'Tenon admin API', 'Tenon app API']);
    await call('get', '/console/api/openapi.json?listener=other', cookie).expect(400);
    await call('get', '/console/api/openapi.json').expect(401);
  });
});

describe('a request that no page of the console sends is refused, though it has the cookie', () => {
  const own = () => new URL(server.adminUrl).host;
  const absent = 'absent';
  /** The headers of a page of the console, changed so. */
  const sent = async (verb: Verb, path: string, changes: Headers) => {
    const headers = { ...OWN_PAGE, ...(await signedIn()), ...changes };
    const kept = Object.entries(headers).filter(([, value]) => value !== absent);
    return request(server.adminUrl)[verb](path).set(Object.fromEntries(kept));
  };

  it.each<[string, Headers]>([
    ['from another port', { 'Sec-Fetch-Site': 'same-site' }],
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['typed into the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['from another origin, by an old browser', { 'Sec-Fetch-Site': absent, Origin: 'https://evil.example' }],
    ['from another port, by an old browser', { 'Sec-Fetch-Site': absent, Origin: 'http://127.0.0.1:1' }],
    ['from an origin that is hidden', { 'Sec-Fetch-Site': absent, Origin: 'null' }],
    ['from nowhere', { 'Sec-Fetch-Site': absent }],
    ['from another site, with the own origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'own' }],
    ['with a foreign Host', { Host: 'evil.example' }],
    ['with a foreign Host that leads to this machine', { Host: '127.0.0.1.evil.example' }],
    ['by a proxy with a foreign Host', { 'X-Forwarded-Host': 'evil.example' }],
  ])('%s', async (_name, changes) => {
    const given = changes['Origin'] === 'own' ? { ...changes, Origin: `http://${own()}` } : changes;
    for (const [verb, path] of [
      ['get', '/console/api/stores'],
      ['post', '/console/api/stores'],
      ['get', '/console/session'],
      ['post', '/console/session'],
      ['delete', '/console/session'],
    ] as const) {
      const answer = await sent(verb, path, given);
      expect([verb, path, answer.status, answer.type]).toEqual([verb, path, 403, PROBLEM]);
      expect(answer.body).toMatchObject({
        code: 'forbidden',
        detail: expect.stringMatching(/^(The console is|The request did)/) as string,
      });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each<[string, Headers]>([
    ['without the header', { 'X-Tenon-Console': absent }],
    ['with another value of the header', { 'X-Tenon-Console': '0' }],
    ['as a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['as a form with files', { 'Content-Type': 'multipart/form-data; boundary=x' }],
    ['as plain text', { 'Content-Type': 'text/plain;charset=UTF-8' }],
  ])('a change %s', async (_name, changes) => {
    const answer = await sent('post', '/console/api/stores', changes);
    expect([answer.status, answer.type]).toEqual([403, PROBLEM]);
    expect((await sent('get', '/console/api/stores', changes)).status).toBe(200);
  });

  it.each<[string, Headers]>([
    ['by name', { Host: 'localhost' }],
    ['by another loopback address', { Host: '127.0.0.2:4001' }],
    ['by IPv6', { Host: '[::1]:4001' }],
    ['by a host of CONSOLE_HOSTS', { Host: 'console.example.com' }],
    ['by a host of CONSOLE_HOSTS at a trusted proxy', { 'X-Forwarded-Host': 'CONSOLE.example.com:8443' }],
    [
      'by an old browser over https',
      {
        'Sec-Fetch-Site': absent,
        Host: 'console.example.com',
        'X-Forwarded-Proto': 'https',
        Origin: 'https://console.example.com',
      },
    ],
  ])('but it is served %s', async (_name, changes) => {
    expect((await sent('get', '/console/api/stores', changes)).status).toBe(200);
  });

  it('the pages are for anyone', async () => {
    const answer = await request(server.adminUrl).get('/console/deliveries').set('Sec-Fetch-Site', 'none');
    expect([answer.status, answer.text.includes('<div id="root"></div>')]).toEqual([200, true]);
    const [, script = ''] = /src="(\/console\/assets\/[^"]+)"/.exec(answer.text) ?? [];
    await request(server.adminUrl).get(script).expect(200);
  });
});
