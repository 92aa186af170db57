import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { BODIES, HOSTS, PATHS, QUERIES, SEGMENTS, VALUES } from '../campaigns/hostile/support/payloads.ts';
import { adminRoutes, appRoutes } from '../../src/adapters/http/routes.ts';
import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { head, raw } from '../support/raw.ts';

interface Shot {
  readonly base: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Status of the answer; 'refused' where the connection ended before one. */
const shoot = ({ base, method, path, headers, body }: Shot): Promise<number | 'refused'> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(base);
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const req = httpRequest({ hostname, port, method, path, headers: { ...headers, ...length }, agent: false }, (res) => {
      res.resume().on('close', () => {
        resolve(res.statusCode ?? 0);
      });
      // A live stream has no end.
      if (res.headers['content-type']?.startsWith('text/event-stream')) res.destroy();
    });
    req.on('error', () => {
      resolve('refused');
    });
    req.end(body);
  });

const uuid = '019a0000-0000-7000-8000-000000000001';

interface Described {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Described>>;
  readonly properties?: object;
}

/** The fields that a route's body may have. A schema with a name stands among the definitions. */
const fieldsOf = ({ body }: Route): string[] => {
  if (body === null) return [];
  const root = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Described;
  const described = root.$ref === undefined ? root : root.$defs?.[root.$ref.replace('#/$defs/', '')];
  return Object.keys(described?.properties ?? {});
};

/** Bodies that are valid except for one field. */
const VALID: Readonly<Record<string, string>> = {
  name: '"N"',
  title: '"T"',
  code: '"c"',
  productIds: '[]',
  fields: '{"title":"t"}',
  scopes: '[]',
  url: '"https://hooks.example.com/"',
  eventTypes: '["product.updated"]',
  domain: '"spoilt.example"',
};

const spoilt = (field: string, value: string): string =>
  `{${Object.entries({ ...VALID, [field]: value })
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;

// Thousands of requests: by a slow machine's measure.
describe('bad input never gives a 5xx, and the server keeps running', { timeout: 300_000 }, () => {
  let server: OpenApp;
  let store: TestStore;
  /** Target of the admin's routes: some of their requests are good, and move it to another domain. */
  let target: TestStore;
  let token: string;
  let entryPath: string;
  beforeAll(async () => {
    server = await openApp();
    store = await server.aStore('hostile.example');
    target = await server.aStore();
    token = await server.token(await server.anApp(store));
    await server.importProducts(store, [{ id: uuid, name: 'One', slug: 'one', variants: [{ sku: 'A', currency: 'EUR' }] }]);
    const types = [
      'single_line_text',
      'integer',
      'decimal',
      'boolean',
      'date',
      'date_time',
      'url',
      'color',
      'money',
      'json',
      'product_reference',
    ];
    const fields = [{ key: 'title', type: 'rich_text' }, ...types.map((type) => ({ key: `a_${type}`, type }))];
    await server.admin('put', `/admin/stores/${store.id}/metaobject-definitions/note`).send({ name: 'Note', fields }).expect(200);
    entryPath = '/custom-data/metaobjects/note/entries/one';
  });
  afterAll(async () => {
    await server.close();
  });

  const places: Readonly<Record<string, () => string>> = {
    ':storeId': () => target.id,
    ':type': () => 'note',
    ':handle': () => 'one',
  };
  let uses = 0;
  const shot = (route: Route, path: string, body?: Buffer | string, contentType?: string): Shot => {
    const isAdmin = route.access.kind === 'admin';
    const type = contentType ?? route.streams[0] ?? route.bodyType;
    uses += 1;
    return {
      base: isAdmin ? server.adminUrl : server.url,
      method: route.method.toUpperCase(),
      path,
      headers: {
        Host: store.domain,
        Authorization: `Bearer ${isAdmin ? ADMIN_TOKEN : token}`,
        'Idempotency-Key': `key-${String(uses)}`,
        ...(body !== undefined && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body }),
    };
  };
  const pathOf = (route: Route): string => route.path.replaceAll(/:\w+/g, (name) => places[name]?.() ?? uuid);

  /** Fires all, a few at a time, and names what was answered with a 5xx or not at all. */
  const fire = async (shots: readonly (readonly [string, Shot])[]): Promise<string[]> => {
    const bad: string[] = [];
    const waiting = [...shots];
    const gun = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [what, it] = next;
        const status = await shoot(it);
        if (status === 'refused' || status >= 500) bad.push(`${it.method} ${it.path.slice(0, 100)}, ${what}: ${String(status)}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, gun));
    return bad;
  };
  let checked = 0;
  const healthy = async (): Promise<void> => {
    for (const base of [server.url, server.adminUrl]) {
      expect(await shoot({ base, method: 'GET', path: '/healthz', headers: {} })).toBe(200);
    }
    const failures = server.logged().slice(checked);
    checked += failures.length;
    expect(failures.filter(({ msg }) => msg === 'request failed').map(({ err }) => (err as Error).message)).toEqual([]);
  };
  const routes = [...appRoutes, ...adminRoutes];
  const withBody = routes.filter(({ body, streams }) => body !== null || streams.length > 0);

  it('every route, with bodies that are not JSON or UTF-8, deeply nested or 3 MB long', async () => {
    const shots = routes.flatMap((route) => BODIES.map(([what, body]) => [what, shot(route, pathOf(route), body)] as const));
    expect(await fire(shots)).toEqual([]);
    await healthy();
  });

  it('every route with a body, with each field of a wrong type, NUL, lone surrogates and huge numbers', async () => {
    const shots = withBody.flatMap((route) =>
      fieldsOf(route).flatMap((field) =>
        VALUES.map(([what, value]) => [`${field} is ${what}`, shot(route, pathOf(route), spoilt(field, value))] as const),
      ),
    );
    expect(shots.length).toBeGreaterThan(1_000);
    expect(await fire(shots)).toEqual([]);
    await healthy();
  });

  it('POST /apps/catalog/products/bulk, with each field of a change made invalid', async () => {
    const bulk = appRoutes.filter(({ idempotent }) => idempotent);
    const fields = ['id', 'name', 'slug', 'metaTitle', 'metaDescription', 'status', 'categoryId'];
    const shots = bulk.flatMap((route) =>
      fields.flatMap((field) =>
        VALUES.map(([what, value]) => {
          const id = field === 'id' ? '' : `"id":"${uuid}",`;
          return [`${field} is ${what}`, shot(route, route.path, `{"products":[{${id}"${field}":${value}}]}`)] as const;
        }),
      ),
    );
    expect(await fire(shots)).toEqual([]);
    await healthy();
  });

  it('PUT of an entry, with each value for each type of field', async () => {
    const keys = [
      'title',
      'a_single_line_text',
      'a_integer',
      'a_decimal',
      'a_boolean',
      'a_date',
      'a_date_time',
      'a_url',
      'a_color',
    ];
    const shots = appRoutes
      .filter(({ path }) => path.startsWith('/custom-data'))
      .flatMap((route) =>
        [...keys, 'a_money', 'a_json', 'a_product'].flatMap((key) =>
          VALUES.flatMap(([what, value]) => [
            [`fields.${key} is ${what}`, shot(route, entryPath, `{"fields":{"${key}":${value}}}`)] as const,
            [
              `translated ${key} is ${what}`,
              shot(route, entryPath, `{"fields":{},"translations":{"de":{"fields":{"${key}":${value}}}}}`),
            ] as const,
          ]),
        ),
      );
    expect(await fire(shots)).toEqual([]);
    await healthy();
  });

  it('every route, with invalid ids, NUL and broken escapes in the path', async () => {
    const shots = routes.flatMap((route) =>
      (route.path.match(/:\w+/g) ?? []).flatMap((name) =>
        SEGMENTS.map((segment) => {
          const path = route.path.replaceAll(/:\w+/g, (other) => (other === name ? segment : (places[other]?.() ?? uuid)));
          return [`${name} is odd`, shot(route, path, withBody.includes(route) ? spoilt('name', '"N"') : undefined)] as const;
        }),
      ),
    );
    expect(await fire(shots)).toEqual([]);
    await healthy();
  });

  it('every route, with garbage in the query', async () => {
    const shots = routes.flatMap((route) =>
      QUERIES.map(
        (query) => [query, shot(route, `${pathOf(route)}?${query}`, withBody.includes(route) ? '{}' : undefined)] as const,
      ),
    );
    expect(await fire(shots)).toEqual([]);
    await healthy();
  });

  it.each([
    ['q=%00', 400],
    ['tag=a%00', 400],
    ['skip=%00', 200],
    ['other=%00', 400],
  ])('a NUL in the query of the list: %s is %d', async (query, status) => {
    expect((await server.api(store.domain, token)('get', `/apps/catalog/products?${query}`)).status).toBe(status);
  });

  it('a NUL in the path gets 404', async () => {
    const answer = await server
      .api(store.domain, token)('put', '/custom-data/metaobjects/no%00te/entries/one')
      .send({ fields: {} });
    expect(answer.status).toBe(404);
  });

  it('odd paths and hosts on both listeners', async () => {
    const bases = () => [server.url, server.adminUrl];
    const headers = { Host: store.domain, Authorization: `Bearer ${token}` };
    const paths = bases().flatMap((base) =>
      ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'].flatMap((method) =>
        PATHS.map((path) => ['an odd path', { base, method, path, headers }] as const),
      ),
    );
    const hosts = bases().flatMap((base) =>
      HOSTS.map(
        (host) =>
          [
            'an odd host',
            {
              base,
              method: 'GET',
              path: '/apps/catalog/products',
              headers: { ...headers, Host: Buffer.from(host).toString('latin1') },
            },
          ] as const,
      ),
    );
    expect(await fire([...paths, ...hosts])).toEqual([]);
    await healthy();
  });

  it('POST /apps/token, with any form', async () => {
    const forms = [
      ...BODIES.map(([, body]) => body),
      'grant_type=%00',
      'a=%zz',
      '&=&',
      'grant_type=client_credentials&client_id=%00&client_secret=%00',
    ];
    const shots = forms.flatMap((body) =>
      ['application/x-www-form-urlencoded', 'application/json', ';', 'x'.repeat(3_000)].map((type) => {
        const headers = { Host: store.domain, 'Content-Type': type };
        return ['a form', { base: server.url, method: 'POST', path: '/apps/token', headers, body }] as const;
      }),
    );
    expect(await fire(shots)).toEqual([]);
    await healthy();
  });

  const list = 'GET /apps/catalog/products HTTP/1.1';

  it.each([
    ['no Host', [list, 'Connection: close']],
    ['a bare line feed in a header', [list, 'Host: hostile.example\nX: y', 'Connection: close']],
    ['a length that is not a number', [list, 'Host: hostile.example', 'Content-Length: x', 'Connection: close']],
    [
      'both lengths',
      ['POST /apps/token HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Transfer-Encoding: chunked', 'Connection: close'],
    ],
    ['headers over 16 KB', [list, 'Host: hostile.example', `X: ${'y'.repeat(20_000)}`, 'Connection: close']],
    [
      'an absolute form',
      ['GET http://evil.example/apps/catalog/products HTTP/1.1', 'Host: hostile.example', 'Connection: close'],
    ],
  ])('a raw request with %s is answered below 500', async (_what, lines) => {
    expect(await raw(server.url, head(...lines))).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
    await healthy();
  });

  it('any bulk change gets 200 or 400, and requested = succeeded + failed', async () => {
    const change = fc.record(
      {
        id: fc.oneof(fc.constant(uuid), fc.uuid(), fc.jsonValue()),
        name: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
        slug: fc.oneof(fc.string(), fc.jsonValue()),
        metaTitle: fc.jsonValue(),
        metaDescription: fc.jsonValue(),
        status: fc.oneof(fc.constantFrom('active', 'Draft', 'ARCHIVED'), fc.jsonValue()),
        categoryId: fc.oneof(fc.uuid(), fc.jsonValue()),
      },
      { requiredKeys: ['id'] },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 5 }), async (products) => {
        run += 1;
        const call = server
          .api(store.domain, token)('post', '/apps/catalog/products/bulk')
          .set('Idempotency-Key', `any-${String(run)}`);
        const { status, body } = await call.send({ products });
        expect([200, 400]).toContain(status);
        const { requested, succeeded, failed } = body as Record<string, number | undefined>;
        if (status === 200) expect(requested).toBe((succeeded ?? 0) + (failed ?? 0));
      }),
      { seed: 20_261_121, numRuns: 100 },
    );
    await healthy();
  });
});
