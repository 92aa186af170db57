import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { adminRoutes, appRoutes } from '../../src/adapters/http/routes.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

// A reason for which many routes refuse is asked of all of them, with the requests that their documents describe. The order of
// checks, credentials, media types and sizes are in order-of-checks.test.ts, roles in operators.test.ts, and resources of
// another store or app in isolation.test.ts.

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly pattern?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema & { readonly items?: Schema };
  readonly example?: string;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
const read = (name: string) => JSON.parse(readFileSync(new URL(`../../docs/${name}.json`, import.meta.url), 'utf8')) as Document;
const documents = { admin: read('openapi-admin'), app: read('openapi') };
const operationOf = ({ access, path, method }: Route): Operation => {
  const { paths } = access.kind === 'admin' ? documents.admin : documents.app;
  const found = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method];
  if (!found) throw new Error(`${method} ${path} is in no document: run npm run openapi`);
  return found;
};
const queryOf = (route: Route): Parameter[] => (operationOf(route).parameters ?? []).filter((each) => each.in === 'query');
const titleOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;
const all = [...adminRoutes, ...appRoutes];

const NOTHING = '019a0000-0000-7000-8000-00000000dead';

let server: OpenApp;
let store: TestStore;
let app: TestApp;
let token: string;
let operator: string;
beforeAll(async () => {
  server = await openApp({ ROLE: 'api' });
  store = await server.aStore();
  app = await server.anApp(store);
  token = await server.token(app);
  const note = { name: 'Note', fields: [] };
  await server.admin('put', `/admin/stores/${store.id}/metaobject-definitions/note`).send(note).expect(200);
  const made = await server.admin('post', '/admin/operators').send({ name: 'Ada', role: 'viewer' }).expect(201);
  operator = (made.body as { id: string }).id;
});
afterAll(() => server.close());

let uses = 0;
/** The request of the route's document, to this path. */
const ask = (route: Route, path: string, query = '', body?: string) => {
  uses += 1;
  const call = route.access.kind === 'admin' ? server.admin : server.api(store.domain, token);
  const required = queryOf(route).filter((each) => each.required === true && !query.includes(`${each.name}=`));
  const words = [...required.map((each) => `${each.name}=${encodeURIComponent(each.example ?? 'x')}`), query];
  const asked = call(route.method, `${path}?${words.filter((word) => word !== '').join('&')}`).set(
    'Idempotency-Key',
    String(uses),
  );
  const [[type, { example }] = ['', { example: null }]] = Object.entries(operationOf(route).requestBody?.content ?? {});
  if (type === '') return asked;
  return asked.type(type).send(body ?? (typeof example === 'string' ? example : JSON.stringify(example)));
};
const expectRefused = (
  route: Route,
  { status, type, body }: { status: number; type: string; body: unknown },
  [wanted, code]: readonly [number, string],
) => {
  expect([status, type]).toEqual([wanted, route.errors === 'problem' ? 'application/problem+json' : 'application/json']);
  // docs/specification/requests.md, "Errors": a validation failure of an app's route is only a sentence.
  if (route.errors === 'problem' || wanted !== 400) expect(body).toMatchObject({ code });
};

describe('404 for an id that nothing has, and for one that is not a UUID', () => {
  /** A PUT creates what its last name does not have. */
  const places = all.flatMap((route) => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const asked = route.method === 'put' ? names.slice(0, -1) : names;
    return asked.map((name) => [titleOf(route), name, route] as const);
  });

  it.each(places)('%s: %s', async (_title, unknown, route) => {
    const known: Readonly<Record<string, string>> = {
      storeId: store.id,
      installationId: app.id,
      operatorId: operator,
      type: 'note',
    };
    for (const id of [NOTHING, 'x', '%00']) {
      let isBefore = true;
      const path = route.path.replace(/:(\w+)/g, (_all, name: string) => {
        isBefore &&= name !== unknown;
        return (isBefore ? known[name] : undefined) ?? (name === unknown ? id : NOTHING);
      });
      expectRefused(route, await ask(route, path), [404, 'not_found']);
    }
  });
});

describe('400 for a parameter of the query that its document does not allow', () => {
  /** docs/specification/requests.md, "Paging": a page that is not a number is the usual one. */
  const isLenient = (name: string): boolean => name === 'take' || name === 'skip';
  const badOf = ({ name, schema, required }: Parameter): string[] => {
    const { type, format, enum: values, maxLength, pattern } = schema.items ?? schema;
    const isText = !values && !format && type !== 'integer' && type !== 'boolean';
    if (isLenient(name)) return [];
    return [
      ...(isText && name !== 'after' ? [] : [`${name}=x`]),
      ...(pattern === undefined ? [] : [`${name}=é`]),
      ...(maxLength === undefined ? [] : [`${name}=${'x'.repeat(maxLength + 1)}`]),
      ...(schema.type === 'array' ? [] : [`${name}=1&${name}=1`]),
      ...(required === true ? [`${name}=`] : []),
    ];
  };
  const bad = all.flatMap((route) =>
    queryOf(route).flatMap((each) => badOf(each).map((query) => [titleOf(route), query.slice(0, 60), route, query] as const)),
  );

  it.each(bad)('%s: %s', async (_title, _query, route, query) => {
    const known: Readonly<Record<string, string>> = { storeId: store.id, installationId: app.id, type: 'note' };
    const path = route.path.replace(/:(\w+)/g, (_all, name: string) => known[name] ?? NOTHING);
    expectRefused(route, await ask(route, path, query), [400, 'invalid']);
  });
});

describe('400 for a body that its document does not allow', () => {
  const bodied = all.flatMap((route) => {
    const example = operationOf(route).requestBody?.content['application/json']?.example;
    return example === undefined ? [] : [[titleOf(route), route, example as Readonly<Record<string, unknown>>] as const];
  });

  it.each(bodied)('%s', async (_title, route, example) => {
    const known: Readonly<Record<string, string>> = {
      storeId: store.id,
      installationId: app.id,
      operatorId: operator,
      type: 'note',
    };
    const path = route.path.replace(/:(\w+)/g, (_all, name: string) => known[name] ?? NOTHING);
    const wrong = Object.entries(example).map(([name, value]) => ({ ...example, [name]: Array.isArray(value) ? 7 : [[7]] }));
    for (const body of ['{', '[]', 'null', '"x"', ...wrong.map((each) => JSON.stringify(each))])
      expectRefused(route, await ask(route, path, '', body), [400, 'invalid']);
  });
});
