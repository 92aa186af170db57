import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { adminRoutes, appRoutes } from '../../src/adapters/http/routes.ts';
import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { ask, type RawAnswer } from '../support/raw.ts';

const ID = '019a0000-0000-7000-8000-00000000dead';
const titled = (routes: readonly Route[]) =>
  routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);
const takesBody = ({ body, streams }: Route): boolean => body !== null || streams.length > 0;
const isAdmin = ({ access }: Route): boolean => access.kind === 'admin';
const all = [...appRoutes, ...adminRoutes];

describe('every route refuses in the order of checks', () => {
  let server: OpenApp;
  let store: TestStore;
  let token: string;
  /** Token of an app of the same store without any scope that a route asks for. */
  let weak: string;
  beforeAll(async () => {
    server = await openApp();
    store = await server.aStore();
    token = await server.token(await server.anApp(store));
    weak = await server.token(await server.anApp(store, ['read_orders']));
  });
  afterAll(async () => {
    await server.close();
  });

  let uses = 0;
  const send = (route: Route, more: readonly string[], body: string | Buffer = ''): Promise<RawAnswer> => {
    const path = route.path
      .replace(':storeId', store.id)
      .replaceAll(/:\w*[iI]d\b/g, ID)
      .replaceAll(/:\w+/g, 'x');
    uses += 1;
    const lines = [`${route.method.toUpperCase()} ${path} HTTP/1.1`, `Idempotency-Key: key-${String(uses)}`, ...more];
    return ask(isAdmin(route) ? server.adminUrl : server.url, lines, body);
  };
  const host = () => `Host: ${store.domain}`;
  const bearer = (text: string) => `Authorization: Bearer ${text}`;
  const good = (route: Route) => [host(), bearer(isAdmin(route) ? ADMIN_TOKEN : token)];
  const type = (route: Route) => `Content-Type: ${route.streams[0] ?? 'application/json'}`;
  const error = (route: Route, { body, headers }: RawAnswer): unknown => {
    const isProblem = route.errors === 'problem';
    expect(headers['content-type']).toBe(`application/${isProblem ? 'problem+json' : 'json'}; charset=utf-8`);
    const { error: text, detail, code } = JSON.parse(body) as { error?: string; detail?: string; code?: string };
    expect(isProblem ? detail : text).toEqual(expect.any(String));
    return code;
  };

  it.each(titled(appRoutes))(
    '401 with an empty body and WWW-Authenticate: %s without a token, with an unknown one, with two',
    async (_title, route) => {
      const attempts = [[], [bearer('tnn_at_nothing')], [bearer(token), bearer(token)], [`Authorization: Basic ${token}`]];
      for (const authorization of attempts) {
        const answer = await send(route, [host(), type(route), ...authorization], '{}');
        expect([answer.status, answer.body, answer.headers['www-authenticate']]).toEqual([401, '', 'Bearer']);
      }
    },
  );

  it.each(titled(appRoutes.filter(({ access }) => access.kind === 'app' && access.scopes.length > 0)))(
    '403 with an empty body and WWW-Authenticate, before the key and the body are checked: %s',
    async (_title, route) => {
      if (route.access.kind !== 'app') throw new Error('an app route has a scope');
      const challenge = `Bearer error="insufficient_scope", scope="${route.access.scopes.join(' ')}"`;
      const answer = await send(route, [host(), bearer(weak), 'Idempotency-Key: twice', 'Content-Encoding: gzip'], '{');
      expect([answer.status, answer.body, answer.headers['www-authenticate']]).toEqual([403, '', challenge]);
    },
  );

  it.each(titled(adminRoutes))(
    '401 problem+json and WWW-Authenticate: %s without the admin token, with another, with two',
    async (_title, route) => {
      for (const authorization of [[], [bearer(token)], [bearer(ADMIN_TOKEN), bearer(ADMIN_TOKEN)]]) {
        const answer = await send(route, [host(), type(route), ...authorization], '{}');
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
        expect(error(route, answer)).toBe('unauthenticated');
      }
    },
  );

  it.each(titled(all))('400 for two Host headers and for a missing one: %s', async (_title, route) => {
    const authorization = bearer(isAdmin(route) ? ADMIN_TOKEN : token);
    for (const hosts of [[host(), 'Host: other.example'], [host(), host()], []]) {
      expect((await send(route, [...hosts, authorization])).status).toBe(400);
    }
  });

  it.each(titled(all.filter(takesBody)))(
    '415 with Accept-Encoding: identity for a compressed body: %s',
    async (_title, route) => {
      for (const encoding of ['gzip', 'br', 'identity, gzip', 'x']) {
        const answer = await send(route, [...good(route), type(route), `Content-Encoding: ${encoding}`], gzipSync('{}'));
        expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'identity']);
        expect(error(route, answer)).toBe('unsupported_media_type');
      }
      expect((await send(route, [...good(route), type(route), 'Content-Encoding: Identity'], '{}')).status).not.toBe(415);
    },
  );

  it.each(titled(all.filter(takesBody)))('415 for a body with another media type or without one: %s', async (_title, route) => {
    for (const named of [[], ['Content-Type: text/plain'], ['Content-Type: application/jsonx'], ['Content-Type: ']]) {
      const answer = await send(route, [...good(route), ...named], '{}');
      expect(answer.status).toBe(415);
      expect(error(route, answer)).toBe('unsupported_media_type');
    }
  });

  const bounded = all.filter(({ body }) => body !== null);
  it.each(titled(bounded))(
    '413 above the limit (2 MiB for bulk updates and the admin API, 1 MiB elsewhere), but not at the limit: %s',
    async (_title, route) => {
      const bound = route.bulk !== null || isAdmin(route) ? 2_097_152 : 1_048_576;
      const over = await send(route, [...good(route), type(route)], Buffer.alloc(bound + 1, ' '));
      expect([over.status, over.headers['connection']]).toEqual([413, 'close']);
      expect(error(route, over)).toBe('payload_too_large');
      expect((await send(route, [...good(route), type(route)], Buffer.alloc(bound, ' '))).status).not.toBe(413);
    },
  );

  it.each(titled(all.filter((route) => !takesBody(route))))('no 413 or 415 if no body is read: %s', async (_title, route) => {
    const answer = await send(
      route,
      [...good(route), 'Content-Type: text/plain', 'Content-Encoding: gzip'],
      'x'.repeat(3_000_000),
    );
    expect([413, 415, 500]).not.toContain(answer.status);
  });

  it('400 for two Host headers on POST /apps/token, /healthz and an unknown path', async () => {
    for (const line of ['POST /apps/token', 'GET /healthz', 'GET /nothing']) {
      const answer = await ask(server.url, [`${line} HTTP/1.1`, host(), 'Host: other.example']);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        400,
        { error: 'The request must have exactly one Host header.' },
      ]);
    }
  });
});
