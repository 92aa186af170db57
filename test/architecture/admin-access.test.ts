import { describe, expect, it } from 'vitest';

import { documentRoute } from '../../src/adapters/http/console/document-route.ts';
import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { consoleRoutes } from '../../src/adapters/http/identity/console-codes.ts';
import { adminRoutes } from '../../src/adapters/http/routes.ts';
import { route } from '../../src/adapters/http/route.ts';
import { storeRuleOf } from '../../src/adapters/http/store-rule.ts';

const all: readonly Route[] = [...adminRoutes, ...consoleRoutes, documentRoute({ app: () => '', admin: () => '' })];
const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

/** Routes for every operator, and why the answer has nothing of another operator's stores. */
const OWN: Readonly<Record<string, string>> = {
  'GET /admin/events/samples': 'constants',
  'GET /admin/openapi.json': 'the document of the API',
  'GET /admin/operator': 'the caller alone',
  'DELETE /admin/operator/sign-in-methods/:methodId': "the caller's alone",
  'GET /admin/operator/sign-in-methods': "the caller's alone",
  'POST /admin/operator/passkey-challenges': 'for the caller alone',
  'POST /admin/operator/passkeys': "the caller's alone",
  'GET /admin/stores': 'only the stores that the operator reaches',
  'POST /admin/console-codes': 'a link for the caller alone',
};

/** Routes that need the owner, and why. */
const OWNERS: Readonly<Record<string, string>> = {
  'DELETE /admin/operators/:operatorId': 'operators',
  'DELETE /admin/operators/:operatorId/tokens/:tokenId': 'operators',
  'DELETE /admin/operators/:operatorId/sign-in-methods/:methodId': 'operators',
  'DELETE /admin/sessions/:sessionId': 'sessions of everybody',
  'DELETE /admin/stores/:storeId': 'cannot be undone',
  'GET /admin/audit': 'names, addresses and changes of everybody',
  'GET /admin/audit/export': 'names, addresses and changes of everybody',
  'GET /admin/operators': 'operators',
  'GET /admin/operators/:operatorId': 'operators',
  'GET /admin/operators/:operatorId/sign-in-methods': 'operators',
  'GET /admin/operators/:operatorId/tokens': 'operators',
  'GET /admin/sessions': 'sessions of everybody',
  'PATCH /admin/operators/:operatorId': 'operators',
  'POST /admin/operators': 'operators',
  'POST /admin/operators/:operatorId/links': 'operators',
  'POST /admin/operators/:operatorId/tokens': 'operators',
};

/** Routes that change nothing of a store, so that a viewer may call them. */
const NO_CHANGE: Readonly<Record<string, string>> = {
  'DELETE /admin/operator/sign-in-methods/:methodId': 'a viewer signs in too',
  'POST /admin/console-codes': 'a viewer signs in too',
  'POST /admin/operator/passkey-challenges': 'a viewer signs in too',
  'POST /admin/operator/passkeys': 'a viewer signs in too',
};

describe('an admin route', () => {
  it.each(all.map((one) => [nameOf(one), one] as const))('%s says which stores it is about', (name, { access }) => {
    if (access.kind !== 'admin') throw new Error(`${name} is not a route of the admin: declare it with .admin()`);
    const { by } = access.rule;
    // A new route: name its store in the path (:storeId), or by an id that src/adapters/http/store-rule.ts
    // finds the store of. Otherwise declare `stores`: 'all' where it shows or changes more than one store, or
    // 'own' where the handler leaves out what `actor.storeIds` does not have; then say why in OWN.
    if (by === 'all') expect(access.stores, `${name} does not say how its store is found`).toBe('all');
    expect(by === 'own', `${name} is for operators of any store: list it in OWN with the reason`).toBe(name in OWN);
  });

  it.each(all.map((one) => [nameOf(one), one] as const))('%s needs the role of its kind', (name, { method, access }) => {
    if (access.kind !== 'admin') throw new Error(`${name} is not a route of the admin`);
    const usual = method === 'get' || name in NO_CHANGE ? 'viewer' : 'operator';
    expect(access.needs).toBe(name in OWNERS ? 'owner' : usual);
  });

  it('is listed only while it exists', () => {
    const names = new Set(all.map(nameOf));
    expect([OWN, OWNERS, NO_CHANGE].flatMap((list) => Object.keys(list)).filter((name) => !names.has(name))).toEqual([]);
  });
});

it('every admin route that may change something is in the audit log, but for those with a record of their own', () => {
  const left = all.filter(({ method, isAudited }) => method !== 'get' && !isAudited).map(nameOf);
  // A challenge changes nothing. The passkey that answers it has an entry.
  // The event is kept with the id of its request, and a shop records one for every order.
  expect(left).toEqual(['POST /admin/operator/passkey-challenges', 'POST /admin/stores/:storeId/events']);
});

it('a route whose path names nothing of a store needs all stores by default, the operator to change and the viewer to read', () => {
  const changing = route.post('/admin/things/:thingId', 'changeThing').admin().returnsNothing();
  const made = changing.handle(() => Promise.resolve({ ok: true, value: null }));
  if (made.access.kind !== 'admin') throw new Error('it is an admin route');
  expect([made.access.needs, made.access.rule]).toEqual(['operator', { by: 'all' }]);
  expect(storeRuleOf('/admin/apps/:installationId/keys/:key', null)).toMatchObject({
    by: 'installation',
    parameter: 'installationId',
  });
  expect(storeRuleOf('/admin/stores/:storeId/apps/:installationId', 'own')).toMatchObject({ by: 'store' });
});
