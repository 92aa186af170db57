import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

let server: OpenApp;
let store: TestStore;
let app: TestApp;
beforeAll(async () => {
  server = await openApp({ ROLE: 'api' });
  store = await server.aStore();
  app = await server.anApp(store, ['write_webhooks', 'write_products', 'read_orders']);
});
afterAll(async () => {
  await server.close();
});

describe('GET /admin/apps/{installationId}/uninstall-preview', () => {
  const preview = (id: string) => server.admin('get', `/admin/apps/${id}/uninstall-preview`);

  it('200 with what an uninstall would end, which it leaves as it is; zeros after the uninstall', async () => {
    const mine = await server.anApp(store);
    const token = await server.token(mine);
    const wanted = { url: 'https://hooks.example.com/preview', eventTypes: ['order.paid'] };
    await server.api(store.domain, token)('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    // The ping of the new subscription is queued.
    const counts = { deliveries: 1, subscriptions: 1, tokens: 1, mediaImports: 0, isComplete: true };
    for (let n = 0; n < 2; n += 1) expect((await preview(mine.id).expect(200)).body).toEqual(counts);
    await server.api(store.domain, token)('get', '/apps/webhooks/subscriptions').expect(200);
    await server.admin('post', `/admin/apps/${mine.id}/uninstall`).expect(204);
    expect((await preview(mine.id).expect(200)).body).toEqual({ ...counts, deliveries: 0, subscriptions: 0, tokens: 0 });
  });
});

describe('an installation during a rotation', () => {
  it('says until when the old secrets are valid, alone and in the list', async () => {
    const mine = await server.anApp(store);
    const path = `/admin/apps/${mine.id}`;
    const none = { previousClientSecretExpiresAt: null, previousSigningSecretExpiresAt: null };
    expect((await server.admin('get', path).expect(200)).body).toMatchObject(none);
    const { body } = await server.admin('post', `${path}/rotate-client-secret`).send({ overlapSeconds: 60 }).expect(200);
    const { previousExpiresAt } = body as { previousExpiresAt: string };
    const one = { ...none, previousClientSecretExpiresAt: previousExpiresAt };
    expect((await server.admin('get', path).expect(200)).body).toMatchObject(one);
    await server.admin('post', `${path}/rotate-signing-secret`).send({ overlapSeconds: 60 }).expect(200);
    const listed = await server.admin('get', `/admin/stores/${store.id}/apps?take=250`).expect(200);
    const { items } = listed.body as { items: { id: string }[] };
    expect(items.find(({ id }) => id === mine.id)).toMatchObject({ ...one, previousSigningSecretExpiresAt: TIME });
    await server.admin('post', `${path}/rotate-signing-secret`).send({ overlapSeconds: 0 }).expect(200);
    expect((await server.admin('get', path).expect(200)).body).toMatchObject(one);
  });
});

describe('POST /admin/apps/{installationId}/tokens', () => {
  const make = (id: string, body: object = {}) => server.admin('post', `/admin/apps/${id}/tokens`).send(body);

  it('201 with a token of the app for ten minutes; it works, and no log line has it', async () => {
    const { body } = (await make(app.id).expect(201)) as { body: { accessToken: string } };
    expect(body).toEqual({
      accessToken: expect.stringMatching(/^tnn_at_[0-9A-Za-z]{49}$/) as string,
      expiresIn: 600,
      scopes: ['read_orders', 'read_products', 'read_webhooks', 'write_products', 'write_webhooks'],
    });
    await server.api(store.domain, body.accessToken)('get', '/apps/catalog/products').expect(200);
    expect(server.log.join('')).not.toContain(body.accessToken);
    expect((await make(app.id, { ttlSeconds: 5 }).expect(201)).body).toMatchObject({ expiresIn: 5 });
  });
  it.each([0, 601, 1.5, '60', null])('400 for ttlSeconds %j', async (ttlSeconds) => {
    const { body } = (await make(app.id, { ttlSeconds }).expect(400)) as { body: unknown };
    expect(body).toMatchObject({ code: 'invalid', errors: { ttlSeconds: expect.anything() as unknown } });
  });
  it('409 for a suspended and for an uninstalled app, and when the store is inactive', async () => {
    const far = await server.aStore();
    const mine = await server.anApp(far);
    const refused = async (detail: RegExp) =>
      expect((await make(mine.id).expect(409)).body).toMatchObject({
        code: 'conflict',
        detail: expect.stringMatching(detail) as string,
      });
    await server.admin('patch', `/admin/stores/${far.id}`).send({ status: 'Inactive' }).expect(200);
    await refused(/store is inactive/);
    await server.admin('patch', `/admin/apps/${mine.id}`).send({ status: 'Suspended' }).expect(200);
    await refused(/app is suspended/);
    await server.admin('post', `/admin/apps/${mine.id}/uninstall`).expect(204);
    await refused(/app is uninstalled/);
  });
});
