import { afterAll, beforeAll, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

let server: OpenApp;
let store: TestStore;
let token: string;
beforeAll(async () => {
  server = await openApp({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
  store = await server.aStore();
  token = await server.token(await server.anApp(store));
});
afterAll(() => server.close());

it.each([
  ['https://kubernetes.default.svc/', 'url must have a host name of the public DNS.'],
  ['https://hooks.test/', 'url must have a host name of the public DNS.'],
  ['https://kubernetes.default.svc.cluster.local/', 'url must not have a local host name.'],
  ['https://kubernetes/', 'url must not have a local host name.'],
  ['https://93.184.215.14:22/', 'url must not use port 22, which belongs to another protocol.'],
  ['https://93.184.215.14:25/', 'url must not use port 25, which belongs to another protocol.'],
])('a subscription to %s is refused: %s', async (url, error) => {
  const asked = { url, eventTypes: ['product.updated'] };
  const own = await server.api(store.domain, token)('post', '/apps/webhooks/subscriptions').send(asked);
  expect([own.status, own.body]).toEqual([400, { error }]);
  const merchants = await server.admin('post', `/admin/stores/${store.id}/webhooks/subscriptions`).send(asked);
  expect([merchants.status, merchants.body]).toMatchObject([400, { detail: error }]);
});

it('a subscription to an allowed range may have any port', async () => {
  const asked = { url: 'http://127.0.0.1:6667/', eventTypes: ['product.updated'] };
  expect((await server.api(store.domain, token)('post', '/apps/webhooks/subscriptions').send(asked)).status).toBe(200);
});
