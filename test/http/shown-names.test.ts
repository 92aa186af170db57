import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { aPlatformApp, type TestPlatformApp } from '../support/platform-apps.ts';

const RULE = 'which is not shown or changes how the text is shown';

describe('a name that people read to decide', () => {
  let app: OpenApp;
  let store: TestStore;
  let platform: TestPlatformApp;
  let installationId: string;
  let operatorId: string;
  beforeAll(async () => {
    app = await openApp();
    store = await app.aStore();
    platform = await aPlatformApp(app);
    const installed = await app
      .admin('post', `/admin/stores/${store.id}/apps`)
      .send({ name: 'App', scopes: ['read_products'] })
      .expect(201);
    installationId = (installed.body as { installation: { id: string } }).installation.id;
    const added = await app.admin('post', '/admin/operators').send({ name: 'Ada' }).expect(201);
    operatorId = (added.body as { id: string }).id;
  });
  afterAll(() => app.close());

  const ways: [string, (name: string) => ReturnType<OpenApp['admin']>][] = [
    ['a new store', (name) => app.admin('post', '/admin/stores').send({ domain: 'names.example.com', name })],
    ['a store', (name) => app.admin('patch', `/admin/stores/${store.id}`).send({ name })],
    ['a new app', (name) => app.admin('post', `/admin/stores/${store.id}/apps`).send({ name, scopes: ['read_products'] })],
    ['an app', (name) => app.admin('patch', `/admin/apps/${installationId}`).send({ name })],
    [
      'a new app of many stores',
      (name) =>
        app
          .admin('post', '/admin/platform-apps')
          .send({ name, redirectUrls: ['https://app.example.com/'], scopes: ['read_products'], optionalScopes: [] }),
    ],
    ['an app of many stores', (name) => app.admin('patch', `/admin/platform-apps/${platform.id}`).send({ name })],
    ['a new operator', (name) => app.admin('post', '/admin/operators').send({ name })],
    ['an operator', (name) => app.admin('patch', `/admin/operators/${operatorId}`).send({ name })],
  ];

  describe.each(ways)('of %s', (_what, send) => {
    it.each([
      ['Stock\u202egnp.exe', 'U+202E'],
      ['Stock\u2066sync', 'U+2066'],
      ['Stock\nsync', 'U+000A'],
      ['Stock\u200bsync', 'U+200B'],
    ])('is refused as %j, and the answer names the character', async (name, code) => {
      const { status, body } = await send(name);
      expect([status, body]).toMatchObject([400, { detail: `name: must not contain ${code}, ${RULE}` }]);
    });
    it('may be in any script', async () => {
      // 409: an operator has the name.
      expect((await send('متجر عالی')).status).not.toBe(400);
    });
  });

  it('that was kept before stays readable, and its record can change', async () => {
    const old = 'Old\u202ename';
    await app.database.query('UPDATE stores SET name = $1 WHERE id = $2', [old, store.id]);
    await app.admin('patch', `/admin/stores/${store.id}`).send({ status: 'Active' }).expect(200);
    expect((await app.admin('get', `/admin/stores/${store.id}`).expect(200)).body).toMatchObject({ name: old });
  });
});
