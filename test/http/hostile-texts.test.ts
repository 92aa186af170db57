import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import admin from '../../docs/openapi-admin.json' with { type: 'json' };
import app from '../../docs/openapi.json' with { type: 'json' };
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { aPlatformApp } from '../support/platform-apps.ts';
import { ask } from '../support/raw.ts';

/** PostgreSQL keeps neither in a text: a NUL, and half of a surrogate pair. */
const HOSTILE = { NUL: 'a\0b', 'half a surrogate pair': 'a\uD800b' } as const;
/** Texts in the form of a URL. The second is not UTF-8. */
const ESCAPED = { NUL: 'a%00b', 'half a surrogate pair': 'a%ED%A0%80b' } as const;
type Text = keyof typeof HOSTILE;
const TEXTS = Object.keys(HOSTILE) as Text[];

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly example?: unknown;
}
interface Media {
  readonly schema?: { readonly $ref?: string };
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>> };
}

let server: OpenApp;
let store: TestStore;
/** The path parameters that name records. */
let known: Readonly<Record<string, string>>;
/** Credentials of a developer of apps, where a route asks for them. */
let basic: string;
/** The cookie of a session of that developer. */
let developer: string;
let listeners: Readonly<Record<'app' | 'admin', { readonly url: string; readonly lines: readonly string[] }>>;
beforeAll(async () => {
  server = await openApp({ APP_CONSOLE: 'on' });
  store = await server.aStore('texts.example');
  const installed = await server.anApp(store);
  await server.admin('put', `/admin/stores/${store.id}/metaobject-definitions/color_chart`).send({
    name: 'Colors',
    fields: [
      { key: 'hex', name: 'Hex', type: 'single_line_text' },
      { key: 'j', name: 'J', type: 'json' },
    ],
  });
  known = { storeId: store.id, installationId: installed.id, type: 'color_chart' };
  const token = await server.token(installed);
  const { clientId, clientSecret } = await aPlatformApp(server);
  const signIn = server.api('developers.example', null)('post', '/apps/console/session');
  const signedIn = await signIn.set({ 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' }).send({ clientId, clientSecret });
  developer = (signedIn.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  basic = `Authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  listeners = {
    app: { url: server.url, lines: [`Host: ${store.domain}`, `Authorization: Bearer ${token}`] },
    admin: { url: server.adminUrl, lines: ['Host: admin.example', `Authorization: Bearer ${ADMIN_TOKEN}`] },
  };
});
afterAll(() => server.close());

interface Call {
  readonly listener: 'app' | 'admin';
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const DOCUMENTS = { app, admin } as unknown as Readonly<Record<'app' | 'admin', Document>>;
const calls: Call[] = (['app', 'admin'] as const).flatMap((listener) =>
  Object.entries(DOCUMENTS[listener].paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ listener, method: method.toUpperCase(), path, operation })),
  ),
);

const pathOf = ({ path, operation }: Call, other: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const example = operation.parameters?.find((parameter) => parameter.name === name)?.example;
    return other[name] ?? known[name] ?? (typeof example === 'string' ? example : 'x');
  });

interface Sent {
  readonly path: string;
  readonly lines?: readonly string[];
  readonly body?: string;
}

/** Sends it, and expects an answer that is not a fault of the server. */
const send = async ({ listener, method, operation }: Call, { path, lines = [], body = '' }: Sent): Promise<number> => {
  const { url, lines: usual } = listeners[listener];
  const own = operation.security?.some((one) => 'basic' in one) === true ? [`Host: ${store.domain}`, basic] : usual;
  const answer = await ask(url, [`${method} ${path} HTTP/1.1`, ...own, ...lines], body);
  expect(answer.status, `${method} ${path} ${body}`).toBeGreaterThanOrEqual(200);
  expect(answer.status, `${method} ${path} ${body}\n${answer.body}`).toBeLessThan(500);
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  return answer.status;
};

/** The value once for each text in it, with that text in its place. */
const withEach = (value: unknown, text: string): unknown[] => {
  if (typeof value === 'string') return [text];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    withEach(part, text).map((changed) =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed },
    ),
  );
};

const exampleOf = ({ listener, operation }: Call): unknown => {
  const media = operation.requestBody?.content['application/json'];
  const name = media?.schema?.$ref?.split('/').at(-1) ?? '';
  return Object.values(media?.examples ?? {})[0]?.value ?? DOCUMENTS[listener].components.schemas[name]?.examples?.[0];
};

const parametersIn = (place: Parameter['in']) =>
  calls.flatMap((call) =>
    (call.operation.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map(({ name }) => [`${call.listener}: ${call.method} ${call.path}, ${name}`, call, name] as const),
  );

/** A request of a page of the portal, in the session of the developer of a platform app. */
const inPortal = (method: string, path: string, more: readonly string[], body = '') => {
  const lines = [
    `${method} /apps/console${path} HTTP/1.1`,
    'Host: developers.example',
    'Sec-Fetch-Site: same-origin',
    'X-Tenon-Console: 1',
  ];
  return ask(server.url, [...lines, ...more], body);
};

describe.each(TEXTS)('the portal of a platform app answers no 5xx to %s', (text) => {
  it.each(['q', 'after', 'skip', 'take'])('in %s of its list', async (name) => {
    const { status } = await inPortal('GET', `/api/installations?${name}=${ESCAPED[text]}`, [`Cookie: ${developer}`]);
    // Bytes that are not UTF-8 are read as another character, and a skip or take that is not a
    // number counts as left out.
    expect(status).toBe(name === 'after' || (name === 'q' && text === 'NUL') ? 400 : 200);
  });
  it('in the domain of a store', async () => {
    const { status } = await inPortal('GET', `/at/${ESCAPED[text]}/api/webhooks/subscriptions`, [`Cookie: ${developer}`]);
    expect(status).toBe(401);
  });
  it.each(['clientId', 'clientSecret'])('in %s of a sign-in', async (field) => {
    const body = JSON.stringify({ clientId: 'a', clientSecret: 'b', [field]: HOSTILE[text] });
    expect((await inPortal('POST', '/session', ['Content-Type: application/json'], body)).status).toBeOneOf([400, 401]);
  });
});

describe.each(TEXTS)('no route answers 5xx to %s', (text) => {
  it.each(parametersIn('query'))('in the query of %s', async (_title, call, name) => {
    const status = await send(call, { path: `${pathOf(call)}?${name}=${ESCAPED[text]}` });
    // A skip or take that is not a number counts as left out.
    if (text === 'NUL' && !['skip', 'take'].includes(name)) expect(status).not.toBe(200);
  });
  it.each(parametersIn('path'))('in the path of %s', async (_title, call, name) => {
    const status = await send(call, { path: pathOf(call, { [name]: ESCAPED[text] }) });
    // The type of a body that is streamed comes first.
    expect([400, 404, 415]).toContain(status);
  });
  it.each(parametersIn('header'))('in a header of %s', async (_title, call, name) => {
    await send(call, { path: pathOf(call), lines: [`${name}: ${Buffer.from(HOSTILE[text]).toString('latin1')}`] });
  });

  const bodies = calls.filter(({ operation }) => operation.requestBody?.content['application/json'] !== undefined);
  it.each(bodies.map((call) => [`${call.listener}: ${call.method} ${call.path}`, call] as const))(
    'in each text of the body of %s',
    async (_title, call) => {
      const keyed = call.operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true;
      const changed = [...withEach(exampleOf(call) ?? { a: '' }, HOSTILE[text]), { [HOSTILE[text]]: 1 }];
      for (const [n, value] of changed.entries()) {
        const lines = ['Content-Type: application/json', ...(keyed ? [`Idempotency-Key: ${call.path} ${text} ${n}`] : [])];
        expect([400, 404]).toContain(await send(call, { path: pathOf(call), lines, body: JSON.stringify(value) }));
      }
    },
  );

  const token = calls.find(({ path }) => path === '/apps/token');
  it.each(['grant_type', 'client_id', 'client_secret'])('in %s of a token request', async (field) => {
    const form = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b', [field]: ESCAPED[text] };
    const body = Object.entries(form)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    const lines = ['Content-Type: application/x-www-form-urlencoded'];
    if (!token) expect.fail('no token route');
    expect(await send(token, { path: token.path, lines, body })).toBe(401);
  });

  const imports = calls.find(({ path }) => path.endsWith('/products/import'));
  it.each([
    ['text/csv', `Handle,Title,Status\nsaw,${HOSTILE[text]},draft\n`],
    ['application/x-ndjson', `${JSON.stringify({ name: HOSTILE[text], slug: 'saw' })}\n`],
  ])('in an import of %s', async (type, body) => {
    if (!imports) expect.fail('no import');
    expect(await send(imports, { path: pathOf(imports), lines: [`Content-Type: ${type}`], body })).toBe(200);
  });
});
