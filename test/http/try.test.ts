import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

const LIST = '/apps/catalog/products';
const BULK = '/apps/catalog/products/bulk';

interface Tried {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly requestId: string;
  readonly curl: string;
}

let server: OpenApp;
let store: TestStore;
let app: TestApp;
let token: string;
let product: string;
beforeAll(async () => {
  server = await openApp({ ROLE: 'api' });
  store = await server.aStore();
  app = await server.anApp(store);
  [product = ''] = await server.importProducts(store, [{ name: 'Tried' }]);
  token = await aToken();
});
afterAll(async () => {
  await server.close();
});

const aToken = async (of = app): Promise<string> => {
  const { body } = await server.admin('post', `/admin/apps/${of.id}/tokens`).send({}).expect(201);
  return (body as { accessToken: string }).accessToken;
};
const send = (given: object, id = app.id) => server.admin('post', `/admin/apps/${id}/try`).send({ method: 'GET', ...given });
const tried = async (given: object): Promise<Tried> => (await send(given).expect(200)).body as Tried;
const authorized = (more: object = {}) => ({ Authorization: `Bearer ${token}`, ...more });

describe('POST /admin/apps/{installationId}/try', () => {
  it("200 with the response of the app API on the store's domain: status, headers, body, request id and curl line", async () => {
    const answer = await tried({ path: `${LIST}?take=1`, headers: authorized({ Accept: 'application/json' }) });
    expect(answer).toEqual({
      status: 200,
      headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }) as object,
      body: expect.stringContaining(product) as string,
      isTruncated: false,
      durationMs: expect.any(Number) as number,
      requestId: answer.headers['x-request-id'],
      curl: `curl -sS -g -X GET -H 'Host: ${store.domain}' -H "Authorization: Bearer $TOKEN" -H 'accept: application/json' '${server.url}${LIST}?take=1'`,
    });
    expect(server.log.join('')).not.toContain(token);
  });
  it('the same key twice shows the replay, and another body the refusal', async () => {
    const headers = authorized({ 'Idempotency-Key': 'pressed', 'Content-Type': 'application/json' });
    const body = JSON.stringify({ products: [{ id: product, name: 'Renamed' }] });
    const first = await tried({ method: 'POST', path: BULK, headers, body });
    const second = await tried({ method: 'POST', path: BULK, headers, body });
    expect([first.status, first.headers['idempotent-replay']]).toEqual([200, undefined]);
    expect([second.status, second.headers['idempotent-replay'], second.body]).toEqual([200, 'true', first.body]);
    expect(await tried({ method: 'POST', path: BULK, headers, body: `${body} ` })).toMatchObject({ status: 422 });
  });
  it('what the app API refuses is a response like any other, also without a token', async () => {
    expect(await tried({ path: LIST })).toMatchObject({ status: 401, body: '' });
    expect(await tried({ path: '/apps/nowhere', headers: authorized() })).toMatchObject({ status: 404 });
    const far = await server.aStore();
    const other = await server.anApp(far);
    const theirs = { Authorization: `Bearer ${await aToken(other)}` };
    expect(await tried({ path: LIST, headers: theirs })).toMatchObject({ status: 401 });
    expect((await send({ path: LIST, headers: theirs }, other.id).expect(200)).body).toMatchObject({ status: 200 });
  });
  it.each([
    'http://example.com/apps/x',
    '//example.com/apps/x',
    '/apps//example.com',
    '/apps/../metrics',
    '/apps/./x',
    '/apps/..',
    '/apps/x#y',
    '/apps/\\example.com',
    '/apps/x y',
    '/apps/x\r\nHost: example.com',
    '/apps/é',
    '/appsx',
    '/metrics',
    '/',
    '',
    `/apps/${'x'.repeat(8_192)}`,
  ])('400 for the path %j', async (path) => {
    const { body } = (await send({ path }).expect(400)) as { body: unknown };
    expect(body).toMatchObject({ code: 'invalid', errors: { path: expect.anything() as unknown } });
  });
  it.each([
    [{ 'X-Forwarded-Host': 'example.com' }],
    [{ host: 'example.com' }],
    [{ connection: 'upgrade' }],
    [{ accept: 'a', Accept: 'b' }],
    [{ accept: 'a\r\nHost: example.com' }],
    [{ accept: 'é' }],
    [{ accept: 'x'.repeat(1_025) }],
    [{ accept: 1 }],
    [JSON.parse('{"__proto__":"x"}') as object],
    [[]],
  ])('400 for the headers %j', async (headers) => {
    await send({ path: LIST, headers }).expect(400);
  });
  it.each(['TRACE', 'get', 'CONNECT', 'GET / HTTP/1.1', 1])('400 for the method %j', async (method) => {
    await send({ path: LIST, method }).expect(400);
  });
  it('400 for a body that is not text, 413 for one that is too large', async () => {
    await send({ path: LIST, body: {} }).expect(400);
    await send({ path: LIST, body: 'x'.repeat(2_200_000) }).expect(413);
  });
  it('409 on a node without an app API', async () => {
    const worker = await openApp({ ROLE: 'worker' }, server);
    try {
      const { body } = await worker.admin('post', `/admin/apps/${app.id}/try`).send({ method: 'GET', path: LIST }).expect(409);
      expect(body).toMatchObject({ code: 'conflict', detail: expect.stringMatching(/ROLE is worker/) as string });
    } finally {
      await worker.stop();
    }
  });
});
