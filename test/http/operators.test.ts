import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { consoleRoutes } from '../../src/adapters/http/identity/console-codes.ts';
import { adminRoutes } from '../../src/adapters/http/routes.ts';
import { hasRole, ROLES, type Role } from '../../src/domain/identity/operator.ts';
import { CREDENTIAL_PATTERNS } from '../../src/domain/identity/token.ts';
import { openApp, type OpenApp, type TestApp, type TestStore, type Verb } from '../support/app.ts';
import { OWN_PAGE } from '../support/console-page.ts';
import { openEventStream } from '../support/event-stream.ts';

const UNKNOWN = '019a0000-0000-7000-8000-00000000dead';

interface Named {
  readonly id: string;
  readonly token: string;
}

let app: OpenApp;
let first: TestStore;
let second: TestStore;
let theirApp: TestApp;
let subscription: string;
let delivery: string;
let names = 0;

const anOperator = async (role: Role, storeIds: readonly string[] | null = null): Promise<Named> => {
  names += 1;
  const given = { name: `${role} ${String(names)}`, role, storeIds };
  const { body: operator } = await app.admin('post', '/admin/operators').send(given).expect(201);
  const { id } = operator as { id: string };
  const { body: issued } = await app.admin('post', `/admin/operators/${id}/tokens`).send({ name: 'ci' }).expect(201);
  return { id, token: (issued as { token: string }).token };
};
const as =
  ({ token }: Pick<Named, 'token'>) =>
  (verb: Verb, path: string) =>
    request(app.adminUrl)[verb](path).set('Authorization', `Bearer ${token}`);
const cookieOf = (answer: request.Response): Record<string, string> => ({
  ...OWN_PAGE,
  Cookie: (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '',
});
const signIn = async (proof: object): Promise<Record<string, string>> =>
  cookieOf(await request(app.adminUrl).post('/console/session').set(OWN_PAGE).send(proof).expect(200));
const inConsole = (headers: Record<string, string>, verb: Verb, path: string) =>
  request(app.adminUrl)[verb](`/console/api${path}`).set(headers);

beforeAll(async () => {
  app = await openApp({ ROLE: 'api' });
  [first, second] = [await app.aStore(), await app.aStore()];
  theirApp = await app.anApp(second);
  const path = `/admin/stores/${second.id}`;
  const wanted = { url: 'https://hooks.example.com/theirs', eventTypes: ['order.paid'] };
  const made = await app.admin('post', `${path}/webhooks/subscriptions`).send(wanted).expect(200);
  subscription = (made.body as { id: string }).id;
  await app.admin('post', `/admin/subscriptions/${subscription}/ping`).expect(202);
  const log = await app.admin('get', `${path}/deliveries`).expect(200);
  delivery = (log.body as { items: { id: string }[] }).items[0]?.id ?? '';
  expect(delivery).not.toBe('');
});
afterAll(() => app.close());

/** The path with ids of the second store, or with ids that nothing has. */
const pathOf = ({ path }: Route, known: boolean): string => {
  const ids: Readonly<Record<string, string>> = {
    storeId: second.id,
    installationId: theirApp.id,
    subscriptionId: subscription,
    deliveryId: delivery,
  };
  return path.replace(/:(\w+)/g, (_all, name: string) => (known ? ids[name] : undefined) ?? UNKNOWN);
};

const ROUTES = [...adminRoutes, ...consoleRoutes].map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

describe('every admin route', () => {
  it.each(ROUTES)('%s answers 403 to a role that is too low, and says which it needs', async (_title, route) => {
    if (route.access.kind !== 'admin') throw new Error('it is an admin route');
    const { needs } = route.access;
    for (const role of ROLES.filter((lower) => !hasRole(lower, needs))) {
      const answer = await as(await anOperator(role))(route.method, pathOf(route, true));
      expect([answer.status, answer.body]).toMatchObject([
        403,
        { code: 'forbidden', detail: `Your role is ${role}. This needs ${needs}.` },
      ]);
    }
  });

  it.each(ROUTES)('%s shows an operator of another store nothing, and changes nothing', async (_title, route) => {
    if (route.access.kind !== 'admin') throw new Error('it is an admin route');
    const limited = await anOperator('operator', [first.id]);
    const answer = await as(limited)(route.method, pathOf(route, true));
    for (const secret of [second.domain, theirApp.clientId]) expect(answer.text).not.toContain(secret);
    // A route without a store is for operators of all stores.
    if (!route.path.includes('/:') || route.access.needs === 'owner' || route.access.stores === 'all') {
      // Without a body, a route for every operator says what it lacks.
      expect([200, 201, 403, ...(route.body === null ? [] : [400])]).toContain(answer.status);
      return;
    }
    const unknown = await as(limited)(route.method, pathOf(route, false));
    const told = ({ status, body }: request.Response) => [status, { ...(body as object), instance: '' }];
    expect(answer.status).toBe(404);
    expect(told(answer)).toEqual(told(unknown));
  });

  it.each(ROUTES)('%s answers 401 to an operator who has ended and to a token that has expired', async (_title, route) => {
    const ended = await anOperator('owner');
    await app.admin('delete', `/admin/operators/${ended.id}`).expect(200);
    const { id } = await anOperator('owner');
    const past = { name: 'old', expiresAt: '2001-01-01T00:00:00Z' };
    const { body } = await app.admin('post', `/admin/operators/${id}/tokens`).send(past).expect(201);
    for (const one of [ended, body as Named]) expect((await as(one)(route.method, pathOf(route, true))).status).toBe(401);
  });
});

it('an operator of a store has its routes, and is listed no other', async () => {
  const limited = as(await anOperator('operator', [first.id]));
  const { body } = await limited('get', '/admin/stores').expect(200);
  expect(body).toMatchObject({ items: [{ id: first.id }], total: 1 });
  await limited('get', `/admin/stores/${first.id}`).expect(200);
  await limited('post', `/admin/stores/${first.id}/apps`).send({ name: 'App', scopes: [] }).expect(201);
  const refused = await limited('get', '/admin/verify').expect(403);
  expect((refused.body as { detail: string }).detail).toBe(
    'Your access is limited to some stores. This needs access to all stores.',
  );
});

it('a role and stores apply from the next request', async () => {
  const one = await anOperator('viewer');
  const store = `/admin/stores/${second.id}`;
  await as(one)('patch', store).send({ name: 'Changed' }).expect(403);
  await app.admin('patch', `/admin/operators/${one.id}`).send({ role: 'operator' }).expect(200);
  await as(one)('patch', store).send({ name: 'Changed' }).expect(200);
  await app
    .admin('patch', `/admin/operators/${one.id}`)
    .send({ storeIds: [first.id] })
    .expect(200);
  await as(one)('patch', store).send({ name: 'Again' }).expect(404);
});

it('a caller learns who it is', async () => {
  const { body: owner } = await app.admin('get', '/admin/operator').expect(200);
  expect(owner).toEqual({ operatorId: null, name: 'Owner', role: 'owner', storeIds: null, sessionId: null });
  const limited = await anOperator('viewer', [first.id]);
  const { body } = await as(limited)('get', '/admin/operator').expect(200);
  expect(body).toMatchObject({ operatorId: limited.id, role: 'viewer', storeIds: [first.id] });
});

it('a token is shown once, counts its last use, and is refused once it is revoked', async () => {
  const { id } = await anOperator('viewer');
  const path = `/admin/operators/${id}/tokens`;
  const { body: issued } = await app.admin('post', path).send({ name: 'deploy' }).expect(201);
  const { id: tokenId, token } = issued as Named;
  expect(token).toMatch(CREDENTIAL_PATTERNS.operatorToken);
  await as({ token })('get', '/admin/stores').expect(200);
  const listed = await app.admin('get', path).expect(200);
  expect(listed.text).not.toContain(token);
  expect(listed.body).toMatchObject({ items: [{ name: 'ci' }, { id: tokenId, lastUsedAt: expect.any(String) as string }] });
  await app.admin('delete', `${path}/${tokenId}`).expect(204);
  await as({ token })('get', '/admin/stores').expect(401);
  await app.admin('delete', `${path}/${tokenId}`).expect(404);
});

it.each([
  ['a name that another operator has', { name: 'Taken' }, 'Another operator has the name Taken. Choose another name.'],
  ['an owner of some stores', { name: 'X', role: 'owner', storeIds: [UNKNOWN] }, 'An owner has access to all stores.'],
  ['a store that does not exist', { name: 'Y', storeIds: [UNKNOWN] }, `There is no store ${UNKNOWN}.`],
])('%s is refused', async (_title, given, detail) => {
  await app.admin('post', '/admin/operators').send({ name: 'Taken' });
  const answer = await app.admin('post', '/admin/operators').send(given).expect(409);
  expect((answer.body as { detail: string }).detail).toContain(detail);
});

it('what an ended operator is asked for is refused, and says why', async () => {
  const { id } = await anOperator('viewer');
  await app.admin('delete', `/admin/operators/${id}`).expect(200);
  const asks = [
    app.admin('patch', `/admin/operators/${id}`).send({ role: 'owner' }),
    app.admin('post', `/admin/operators/${id}/links`),
    app.admin('post', `/admin/operators/${id}/tokens`).send({ name: 'x' }),
  ];
  for (const ask of asks)
    expect((await ask).body).toMatchObject({ status: 409, detail: 'The operator has ended. Add a new one.' });
});

describe('the console', () => {
  it('is signed in to by a token of an operator, whose role and stores apply', async () => {
    const viewer = await anOperator('viewer', [first.id]);
    const session = await signIn({ token: viewer.token });
    const { body } = await inConsole(session, 'get', '/operator').expect(200);
    expect(body).toMatchObject({ operatorId: viewer.id, role: 'viewer', sessionId: expect.any(String) as string });
    await inConsole(session, 'patch', `/stores/${first.id}`).send({ name: 'No' }).expect(403);
    await inConsole(session, 'get', `/stores/${second.id}`).expect(404);
  });

  it('is signed in to by a link of an operator, once', async () => {
    const { id } = await anOperator('operator');
    const { body } = await app.admin('post', `/admin/operators/${id}/links`).expect(201);
    const { code, path } = body as { code: string; path: string };
    expect(path).toBe(`/console/#code=${code}`);
    const session = await signIn({ code });
    expect((await inConsole(session, 'get', '/operator').expect(200)).body).toMatchObject({ operatorId: id });
    await request(app.adminUrl).post('/console/session').set(OWN_PAGE).send({ code }).expect(401);
  });

  it('is signed in to by a link that a token made for itself, and never as somebody else', async () => {
    const viewer = await anOperator('viewer');
    const { body } = await as(viewer)('post', '/admin/console-codes').expect(201);
    const session = await signIn({ code: (body as { code: string }).code });
    expect((await inConsole(session, 'get', '/operator')).body).toMatchObject({ operatorId: viewer.id, role: 'viewer' });
  });

  it('lists its sessions, and one that is ended is refused from the next request and its streams end', async () => {
    const { id, token } = await anOperator('operator');
    const session = await signIn({ token });
    const stream = await openEventStream(`${app.adminUrl}/console/api/stores/${first.id}/live`, session);
    const { body } = await app.admin('get', '/admin/sessions').expect(200);
    const { items } = body as { items: { id: string; operator: { id: string } | null }[] };
    const own = items.find(({ operator }) => operator?.id === id);
    expect(own).toMatchObject({ address: '127.0.0.1', startedAt: expect.any(String) as string });
    await app.admin('delete', `/admin/sessions/${own?.id ?? ''}`).expect(204);
    await inConsole(session, 'get', '/operator').expect(401);
    expect(await stream.ended).toBe('ended');
    await app.admin('delete', `/admin/sessions/${own?.id ?? ''}`).expect(404);
  });

  it.each([
    ['is ended', (id: string) => app.admin('delete', `/admin/operators/${id}`)],
    ['loses the store', (id: string) => app.admin('patch', `/admin/operators/${id}`).send({ storeIds: [second.id] })],
  ])('ends the streams of an operator who %s', async (_title, change) => {
    const { id, token } = await anOperator('operator');
    const path = `/admin/stores/${first.id}/live`;
    const streams = [
      await openEventStream(`${app.adminUrl}${path}`, { Authorization: `Bearer ${token}` }),
      await openEventStream(`${app.adminUrl}${path.replace('/admin', '/console/api')}`, await signIn({ token })),
    ];
    await change(id).expect(200);
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(['ended', 'ended']);
  });

  it('a change of the admin token aside, the owner is never locked out', async () => {
    const { items } = (await app.admin('get', '/admin/operators?take=250')).body as { items: { id: string }[] };
    for (const { id } of items) await app.admin('delete', `/admin/operators/${id}`).expect(200);
    await app.admin('get', '/admin/operators').expect(200);
  });
});

describe('the domain of a store', () => {
  const changing = async (role: Role, storeIds: readonly string[] | null, domain: string) =>
    as(await anOperator(role, storeIds))('patch', `/admin/stores/${first.id}`).send({ domain, name: 'Renamed' });

  it('is not changed by an operator of some stores, over the API and in the console', async () => {
    const limited = await anOperator('operator', [first.id]);
    const path = `/stores/${first.id}`;
    const asked = { name: 'Renamed', domain: 'taken-over.example.com' };
    const message = 'Your access is limited to some stores. This needs access to all stores.';
    await as(limited)('patch', `/admin${path}`).send(asked).expect(403, new RegExp(message));
    const session = await signIn({ token: limited.token });
    await inConsole(session, 'patch', path).send(asked).expect(403, new RegExp(message));
    expect((await app.admin('get', `/admin${path}`).expect(200)).body).toMatchObject({ domain: first.domain });
    // The name, with the domain as it is, is theirs to change.
    await as(limited)('patch', `/admin${path}`).send({ name: 'Renamed', domain: first.domain }).expect(200);
  });
  it('is changed by one of all stores', async () => {
    expect((await changing('operator', null, `moved-${first.domain}`)).status).toBe(200);
    await app.admin('patch', `/admin/stores/${first.id}`).send({ domain: first.domain }).expect(200);
  });
});
