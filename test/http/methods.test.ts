import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { adminListenerRoutes, publicRoutes } from '../../src/adapters/http/routes.ts';
import { openApp, type OpenApp } from '../support/app.ts';
import { ask } from '../support/raw.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const MEDIA = `/media/${ID}/${'a'.repeat(64)}.png`;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
const PAGES = ['/openapi.json', '/docs', '/docs/', '/docs/webhooks', '/docs/reference', '/docs/site.css', '/llms.txt'];

type Side = 'public' | 'admin';
type Shape = 'plain' | 'problem';

interface KnownPath {
  readonly side: Side;
  readonly path: string;
  readonly methods: readonly string[];
  readonly shape: Shape;
}

const pathsOf = (side: Side, routes: typeof publicRoutes): KnownPath[] =>
  [...new Set(routes.map(({ path }) => path))].map((path) => {
    const own = routes.filter((route) => route.path === path);
    return {
      side,
      path: path.replaceAll(/:\w*[iI]d\b/g, ID).replaceAll(/:\w+/g, 'x'),
      methods: own.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
      shape: own[0]?.errors === 'problem' ? 'problem' : 'plain',
    };
  });
const reading = (side: Side, path: string): KnownPath => ({
  side,
  path,
  methods: ['GET', 'HEAD'],
  shape: side === 'admin' ? 'problem' : 'plain',
});

const KNOWN: readonly KnownPath[] = [
  ...pathsOf(
    'public',
    publicRoutes.filter(({ strictPath }) => !strictPath),
  ),
  ...pathsOf('admin', adminListenerRoutes),
  ...PAGES.flatMap((path) => [reading('public', path), reading('admin', path)]),
  reading('public', MEDIA),
];

describe('a method that the path does not have, without credentials', () => {
  let server: OpenApp;
  beforeAll(async () => {
    server = await openApp();
  });
  afterAll(async () => {
    await server.close();
  });
  const urlOf = (side: Side) => (side === 'admin' ? server.adminUrl : server.url);
  const allowOf = ({ methods }: KnownPath) => [...methods, 'OPTIONS'].sort();
  const listed = (allow: string | undefined) => allow?.split(', ').sort();

  it.each(KNOWN.map((known) => [`${known.side} ${known.path}`, known] as const))(
    '405 with Allow and method_not_allowed, and 204 for OPTIONS: %s',
    async (_title, known) => {
      const url = urlOf(known.side);
      const host = `Host: ${known.side === 'admin' ? '127.0.0.1' : 'shop.example'}`;
      for (const method of METHODS.filter((each) => !known.methods.includes(each))) {
        const answer = await ask(url, [`${method} ${known.path} HTTP/1.1`, host]);
        expect([method, answer.status, listed(answer.headers['allow'])]).toEqual([method, 405, allowOf(known)]);
        expect(answer.headers['x-request-id']).toBeDefined();
        if (method === 'HEAD') continue;
        const type = `application/${known.shape === 'problem' ? 'problem+json' : 'json'}; charset=utf-8`;
        expect(answer.headers['content-type']).toBe(type);
        const text = expect.any(String) as string;
        const code = 'method_not_allowed';
        const body = JSON.parse(answer.body) as unknown;
        if (known.shape === 'plain') expect(body).toEqual({ error: text, code });
        else expect(body).toMatchObject({ status: 405, title: 'Method Not Allowed', detail: text, code });
      }
      const options = await ask(url, [`OPTIONS ${known.path} HTTP/1.1`, host]);
      expect([options.status, options.body, listed(options.headers['allow'])]).toEqual([204, '', allowOf(known)]);
    },
  );

  it.each(['/', '/nothing', '/apps', '/apps/token/', '/media/x/y', `/media/${ID}/x.txt`, '/admin/nothing', '/docs/nothing'])(
    'an unknown path gets 404 without Allow for every method: %s',
    async (path) => {
      for (const url of [server.url, server.adminUrl]) {
        for (const verb of ['get', 'post', 'delete', 'options'] as const) {
          const answer = await request(url)[verb](path);
          expect([answer.status, answer.headers['allow']]).toEqual([404, undefined]);
        }
      }
    },
  );

  it('a path that only the other listener has gets 404', async () => {
    expect((await request(server.url).post('/admin/stores')).status).toBe(404);
    expect((await request(server.url).post('/metrics')).status).toBe(404);
    expect((await request(server.adminUrl).delete('/apps/token')).status).toBe(404);
  });
});
