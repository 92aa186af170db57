import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { AuditedChange } from '../../src/adapters/http/answers.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore, type Verb } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';
import { consoleOf } from '../support/console-sign-in.ts';
import { eventually } from '../support/eventually.ts';
import { aPlatformApp, type TestPlatformApp } from '../support/platform-apps.ts';
import { createSoftPasskey } from '../support/soft-passkey.ts';

/** Nothing of what was tried may be in an entry. */
const SECRET = 'hunter2-hunter2-hunter2';
const SETTINGS = { ROLE: 'api', APP_CONSOLE: 'on', TRUSTED_PROXIES: '127.0.0.1', CONSOLE_URL: 'https://console.example' };
const HOST = { Host: 'console.example' };
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };

interface Person {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

let app: OpenApp;
let own: TestStore;
let other: TestStore;
let viewer: Person;
let limited: Person;
let platform: TestPlatformApp;
beforeAll(async () => {
  app = await openApp(SETTINGS);
  [own, other] = [await app.aStore(), await app.aStore()];
  viewer = await anOperator('Vera', { role: 'viewer' });
  limited = await anOperator('Lin', { role: 'operator', storeIds: [own.id] });
  platform = await aPlatformApp(app);
});
afterAll(() => app.close());

const anOperator = async (name: string, more: object): Promise<Person> => {
  const { body } = await app
    .admin('post', '/admin/operators')
    .send({ name, ...more })
    .expect(201);
  const { id } = body as { id: string };
  const issued = await app.admin('post', `/admin/operators/${id}/tokens`).send({ name }).expect(201);
  return { id, name, token: (issued.body as { token: string }).token };
};
const as = (token: string, verb: Verb, path: string, address = '192.0.2.1') => {
  const call = request(app.adminUrl)[verb](path);
  return call.set({ Authorization: `Bearer ${token}`, 'X-Forwarded-For': address });
};
const signIn = (proof: object, address: string, path = '/console/session') =>
  consoleOf(app, HOST).call('post', path, { 'X-Forwarded-For': address }).send(proof);
const portal = (proof: object, address: string, host: string, path = '/apps/console/session') =>
  app
    .api(host, null)('post', path)
    .set({ ...OWN_PAGE, 'X-Forwarded-For': address })
    .send(proof);
const passkey = async (address: string) => {
  const { body, cookie } = await consoleOf(app, HOST).begin('passkey');
  const unknown = createSoftPasskey('https://console.example');
  return consoleOf(app, HOST)
    .call('post', '/console/session', { ...cookie, 'X-Forwarded-For': address })
    .send({ passkey: unknown.use(body, { userHandle: 'nobody' }) });
};

const changes = async (query = '&refused=1'): Promise<readonly AuditedChange[]> => {
  const { body } = await app.admin('get', `/admin/audit?take=250${query}`).expect(200);
  return (body as { items: AuditedChange[] }).items;
};
/** The entry of the request, once it is there with its outcome. */
const entryFrom = (address: string): Promise<AuditedChange> =>
  eventually(async () => {
    const [found, ...more] = (await changes()).filter((entry) => entry.address === address);
    if (!found?.outcome) throw new Error(`there is no whole entry from ${address} yet`);
    expect(more).toEqual([]);
    return found;
  });

interface Kind {
  readonly title: string;
  readonly refuse: (address: string) => PromiseLike<request.Response>;
  readonly status: number;
  readonly entry: () => Partial<AuditedChange>;
}

const stranger = { operatorId: null, operator: 'Unknown' };
const link = { ...stranger, storeId: null, way: 'console', what: 'Sign in with a link' } as const;

const KINDS: readonly Kind[] = [
  {
    title: "a viewer's POST of an owner",
    refuse: (address) => as(viewer.token, 'post', '/admin/operators', address).send({ name: 'Eve', role: 'owner', note: SECRET }),
    status: 403,
    entry: () => ({
      storeId: null,
      operatorId: viewer.id,
      operator: 'Vera',
      way: 'api',
      route: 'POST /admin/operators',
      refusal: { reason: 'role_too_low', count: 1 },
    }),
  },
  {
    title: "a viewer's change in the console",
    refuse: async (address) => {
      const { cookie } = await consoleOf(app, HOST).anOperator({ name: 'Grace', role: 'viewer' });
      const call = consoleOf(app, HOST).call('delete', '/console/api/sessions/x', { ...cookie, 'X-Forwarded-For': address });
      return call.send();
    },
    status: 403,
    entry: () => ({
      operator: 'Grace',
      way: 'console',
      path: '/admin/sessions/x',
      refusal: { reason: 'role_too_low', count: 1 },
    }),
  },
  {
    title: 'a change of another store by an operator of one',
    refuse: (address) => as(limited.token, 'patch', `/admin/stores/${other.id}`, address).send({ name: SECRET }),
    status: 404,
    entry: () => ({
      storeId: other.id,
      operatorId: limited.id,
      what: 'Change a store',
      path: `/admin/stores/${other.id}`,
      refusal: { reason: 'other_store', count: 1 },
    }),
  },
  {
    title: 'a change that needs all stores by an operator of one',
    refuse: (address) => as(limited.token, 'post', '/admin/stores', address).send({ domain: 'new.example' }),
    status: 403,
    entry: () => ({ storeId: null, operatorId: limited.id, refusal: { reason: 'other_store', count: 1 } }),
  },
  {
    title: 'a wrong token on a change',
    refuse: (address) => as(SECRET, 'patch', `/admin/stores/${own.id}?name=${SECRET}`, address).send({ name: SECRET }),
    status: 401,
    entry: () => ({
      ...stranger,
      storeId: null,
      what: 'Change a store',
      path: `/admin/stores/${own.id}`,
      refusal: { reason: 'wrong_admin_token', count: 1 },
    }),
  },
  {
    title: 'a wrong token at the console',
    refuse: (address) => signIn({ token: SECRET }, address),
    status: 401,
    entry: () => ({
      ...stranger,
      storeId: null,
      way: 'console',
      what: 'Sign in with a token',
      route: 'POST /console/session',
    }),
  },
  {
    title: 'a wrong login code',
    refuse: (address) => signIn({ code: SECRET }, address),
    status: 401,
    entry: () => link,
  },
  {
    title: 'a look at a wrong login code',
    refuse: (address) => signIn({ code: SECRET }, address, '/console/session/code'),
    status: 401,
    entry: () => ({ ...link, route: 'POST /console/session/code' }),
  },
  {
    title: 'a passkey that nobody has',
    refuse: passkey,
    status: 401,
    entry: () => ({ ...stranger, storeId: null, way: 'console', what: 'Sign in with a passkey' }),
  },
  {
    title: 'a wrong client secret at the portal, on a host of no store',
    refuse: (address) => portal({ clientId: platform.clientId, clientSecret: SECRET }, address, 'nobody.example'),
    status: 401,
    entry: () => ({
      ...stranger,
      storeId: null,
      what: 'Sign in to the app console with the client secret',
      body: { clientId: platform.clientId },
    }),
  },
  {
    title: 'a secret in place of the client id, on the domain of a store',
    refuse: (address) => portal({ clientId: SECRET, clientSecret: SECRET }, address, own.domain),
    status: 401,
    entry: () => ({ ...stranger, storeId: own.id, body: null }),
  },
  {
    title: 'a wrong link to the portal',
    refuse: (address) => portal({ code: SECRET }, address, 'nobody.example'),
    status: 401,
    entry: () => ({ ...stranger, storeId: null, what: 'Sign in to the app console with a link', body: null }),
  },
  {
    title: 'a look at a wrong link to the portal',
    refuse: (address) => portal({ code: SECRET }, address, 'nobody.example', '/apps/console/session/code'),
    status: 401,
    entry: () => ({ ...stranger, storeId: null, what: 'Sign in to the app console with a link', body: null }),
  },
];

describe.each(KINDS.map((kind, index) => ({ ...kind, address: `203.0.113.${String(index + 1)}` })))(
  '$title',
  ({ refuse, status, entry, address }) => {
    it('has an entry with who, what, why and from where, and nothing of what was sent', async () => {
      const answer = await refuse(address);
      expect(answer.status).toBe(status);
      const found = await entryFrom(address);
      expect(found).toMatchObject({
        refusal: { reason: 'wrong_sign_in', count: 1 },
        ...entry(),
        requestId: answer.headers['x-request-id'],
        before: null,
        outcome: { status, created: null, after: null },
      });
      expect(JSON.stringify(found)).not.toContain(SECRET);
    });
  },
);

it('the entry of a change under rate limits, and that of a sign-in, say so', async () => {
  const bounded = await openApp({ ...SETTINGS, ADMIN_FAILURES_PER_MINUTE: '1' }, app);
  try {
    const address = '203.0.113.100';
    const change = (token: string) =>
      request(bounded.adminUrl)
        .post('/admin/stores')
        .set({ Authorization: `Bearer ${token}`, 'X-Forwarded-For': address });
    expect([(await change(SECRET)).status, (await change(SECRET)).status, (await change(ADMIN_TOKEN)).status]).toEqual([
      401, 429, 429,
    ]);
    const given = await consoleOf(bounded, HOST).signIn({ token: ADMIN_TOKEN }, { 'X-Forwarded-For': address });
    expect(given.status).toBe(429);
    const reasons = await eventually(async () => {
      const found = (await changes()).filter((entry) => entry.address === address);
      expect(found.filter(({ outcome }) => outcome !== null)).toHaveLength(4);
      return found.map(({ refusal, outcome }) => [refusal?.reason, outcome?.code]);
    });
    expect(reasons.toSorted()).toEqual([
      ['too_many_wrong_admin_tokens', 'rate_limited'],
      ['too_many_wrong_admin_tokens', 'rate_limited'],
      ['too_many_wrong_admin_tokens', 'rate_limited'],
      ['wrong_admin_token', 'unauthenticated'],
    ]);
  } finally {
    await bounded.stop();
  }
});

it('a refused read, and a request without a token, have no entry', async () => {
  const address = '203.0.113.101';
  await as(limited.token, 'get', `/admin/stores/${other.id}`, address).expect(404);
  await as(SECRET, 'get', '/admin/stores', address).expect(401);
  await request(app.adminUrl).post('/admin/stores').set('X-Forwarded-For', address).expect(401);
  // Entries are written in order: this one would come after theirs.
  await as(viewer.token, 'post', '/admin/stores', '203.0.113.102').send({}).expect(403);
  await entryFrom('203.0.113.102');
  expect((await changes()).filter((entry) => entry.address === address)).toEqual([]);
});

it('the list, the export and the command line show what was refused alone, and with the rest', async () => {
  await app.admin('patch', `/admin/stores/${own.id}`).send({ name: 'Changed' }).expect(200);
  const [newest, ...all] = await changes('');
  expect(newest?.refusal).toBeNull();
  const refused = all.filter(({ refusal }) => refusal !== null).map(({ id }) => id);
  expect(refused.length).toBeGreaterThan(KINDS.length);
  expect((await changes()).map(({ id }) => id)).toEqual(refused);
  expect((await changes(`&refused=1&store=${own.id}`)).map(({ body }) => body)).toEqual([null]);
  expect((await changes('&refused=0')).length).toBe(all.length + 1);
  const { text } = await app.admin('get', '/admin/audit/export?refused=1').expect(200);
  expect(text.trim().split('\n')).toHaveLength(refused.length);
  const env = { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN };
  const { out } = await runCommand(['audit', '--refused', '--operator', 'Lin', '--wide'], { env });
  expect(out).toContain('Lin\tChange a store\t404\tAccess is limited to other stores.\t');
  expect(out.trim().split('\n')).toHaveLength(2);
});

it('the chain of hashes has the refusals too', async () => {
  const { body } = await app.admin('get', '/admin/verify').expect(200);
  const { invariants } = body as { invariants: { name: string; violated: number }[] };
  expect(invariants.find(({ name }) => name === 'audit_chained')).toMatchObject({ violated: 0 });
});

describe('wrong tokens in volume', () => {
  let flooded: OpenApp;
  beforeEach(async () => {
    flooded = await openApp(SETTINGS);
  });
  afterEach(() => flooded.close());

  it('are bounded on all nodes together, and hide nothing of an operator', async () => {
    const beside = await openApp(SETTINGS, flooded);
    try {
      const change = async (on: OpenApp, address: string) => {
        const sent = request(on.adminUrl).post('/admin/stores').set('Authorization', `Bearer ${SECRET}`);
        await sent.set('X-Forwarded-For', address).send({}).expect(401);
      };
      for (let n = 0; n < 60; n += 1) for (const on of [flooded, beside]) await change(on, `198.51.100.${String(n)}`);
      const { body: made } = await flooded.admin('post', '/admin/operators').send({ name: 'Vera', role: 'viewer' }).expect(201);
      const issued = await flooded
        .admin('post', `/admin/operators/${(made as Person).id}/tokens`)
        .send({ name: 'x' })
        .expect(201);
      const { token } = issued.body as Person;
      const refused = request(flooded.adminUrl).post('/admin/stores').set('Authorization', `Bearer ${token}`);
      await refused.send({ domain: 'x.example' }).expect(403);
    } finally {
      await beside.stop();
    }
    const found = await eventually(async () => {
      const { body } = await flooded.admin('get', '/admin/audit?refused=1&take=250').expect(200);
      const { items } = body as { items: readonly AuditedChange[] };
      expect(items.some(({ operator }) => operator === 'Vera')).toBe(true);
      return items;
    });
    const unknown = found.filter(({ operator }) => operator === 'Unknown');
    const hours = new Set(unknown.map(({ at }) => at.slice(0, 13))).size;
    expect(unknown.filter(({ refusal }) => refusal?.count === 1).length).toBeGreaterThanOrEqual(50);
    expect(unknown.length).toBeLessThanOrEqual(52 * hours);
  });

  it('are answered as before while nothing can be recorded, and are recorded afterwards', async () => {
    await flooded.database.query('ALTER TABLE audit_refusals RENAME TO elsewhere');
    const change = () => request(flooded.adminUrl).post('/admin/stores').set('Authorization', `Bearer ${SECRET}`).send({});
    const { body } = await change().expect(401);
    expect(body).toMatchObject({ code: 'unauthenticated' });
    await eventually(() => expect(flooded.log.join('\n')).toContain('Refused changes and sign-ins could not be written.'));
    await flooded.database.query('ALTER TABLE elsewhere RENAME TO audit_refusals');
    await eventually(async () => {
      const { body: listed } = await flooded.admin('get', '/admin/audit?refused=1').expect(200);
      expect(listed).toMatchObject({ items: [{ refusal: { reason: 'wrong_admin_token' } }] });
    });
  });
});
