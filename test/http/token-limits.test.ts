import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type request from 'supertest';

import { formatCredential } from '../../src/domain/identity/token.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { aPlatformApp, installOn, type TestPlatformApp } from '../support/platform-apps.ts';

const HOST = 'sandbox.example.com';
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
const HOLDER = '203.0.113.1';
const STRANGER = '203.0.113.66';
const WRONG = formatCredential('clientSecret', Buffer.alloc(32, 7));
/** Windows of 30 s and 40 s: on a busy machine all requests of a test still fall into one. */
const BURST = 30;
const APP_BURST = 40;

let server: OpenApp;
let platform: TestPlatformApp;
let stores: [TestStore, TestStore];
beforeAll(async () => {
  server = await openApp({
    APP_CONSOLE: 'on',
    SANDBOX_DOMAIN: HOST,
    ROLE: 'api',
    TRUSTED_PROXIES: '127.0.0.1',
    TOKEN_RATE_LIMIT_PER_SECOND: '1',
    TOKEN_RATE_LIMIT_BURST: String(BURST),
    TOKEN_APP_RATE_LIMIT_PER_SECOND: '1',
    TOKEN_APP_RATE_LIMIT_BURST: String(APP_BURST),
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  platform = await aPlatformApp(server);
  stores = [await server.aStore(), await server.aStore()];
  for (const store of stores) await installOn(server, store, platform);
});

interface Sent {
  readonly secret?: string;
  readonly from?: string;
  readonly host?: string;
}

const token = ({ secret = platform.clientSecret, from = HOLDER, host = stores[0].domain }: Sent = {}): request.Test =>
  server
    .api(host, null)('post', '/apps/token')
    .set('X-Forwarded-For', from)
    .type('form')
    .send({ grant_type: 'client_credentials', client_id: platform.clientId, client_secret: secret });
const sandboxes = ({ secret = platform.clientSecret, from = HOLDER }: Sent = {}): request.Test =>
  server.api(HOST, null)('get', '/apps/sandboxes').set('X-Forwarded-For', from).auth(platform.clientId, secret);
const portal = ({ secret = platform.clientSecret, from = HOLDER }: Sent = {}): request.Test =>
  server
    .api(HOST, null)('post', '/apps/console/session')
    .set({ ...OWN_PAGE, 'X-Forwarded-For': from })
    .send({ clientId: platform.clientId, clientSecret: secret });

const WAYS_IN = [
  ['the token route', token],
  ['the token route, on a host that is not a store', (sent: Sent = {}) => token(sent.secret ? { ...sent, host: HOST } : sent)],
  ['the sandbox stores', sandboxes],
  ['the portal', portal],
] as const;

describe.each(WAYS_IN)('%s', (_name, send) => {
  it('refuses a stranger who knows the client id, and nobody who knows the secret', async () => {
    const wrong = [];
    for (let n = 0; n <= BURST; n += 1) wrong.push(await send({ secret: WRONG, from: STRANGER }));
    expect(wrong.map(({ status }) => status)).toEqual([...Array.from({ length: BURST }, () => 401), 429]);
    const { headers } = wrong.at(-1) ?? {};
    expect(headers?.['ratelimit']).toMatch(/"token-failures";r=0;t=\d+$/);
    expect(headers?.['ratelimit']).toContain(`t=${String(headers?.['retry-after'])}`);
    // Neither here nor elsewhere, nor from the address of the stranger.
    for (const [, way] of WAYS_IN) for (const from of [HOLDER, STRANGER]) expect((await way({ from })).status).toBe(200);
    // A wrong secret from another address is 401 as before.
    expect((await send({ secret: WRONG, from: '203.0.113.67' })).status).toBe(401);
  });
});

it('right secrets count for the installation on each store, and for a platform app on all stores together', async () => {
  for (let n = 1; n <= BURST; n += 1) {
    const { status, headers } = await token();
    expect([status, headers['ratelimit']]).toEqual([
      200,
      expect.stringMatching(`"token-client";r=${String(BURST - n)};t=\\d+, "token-app";r=${String(APP_BURST - n)};t=\\d+$`),
    ]);
  }
  expect((await token()).status).toBe(429);
  const host = stores[1].domain;
  for (let n = BURST; n < APP_BURST; n += 1) expect((await token({ host })).status).toBe(200);
  const refused = await token({ host });
  expect([refused.status, refused.headers['ratelimit']]).toEqual([429, expect.stringMatching(/"token-app";r=0;t=\d+$/)]);
  expect((await sandboxes()).status).toBe(429);
});

it('the request log says why a stranger was refused', async () => {
  for (let n = 0; n <= BURST; n += 1) await token({ secret: WRONG, from: STRANGER });
  const reasons = server.logged().map(({ reason }) => reason);
  expect(reasons).toContain('wrong_secret');
  expect(reasons).toContain('failed_secrets');
});
