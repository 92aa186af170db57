import type request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { aPlatformApp, installOn, tokenOn, tokenRequest, type TestPlatformApp } from '../support/platform-apps.ts';

let app: OpenApp;
let other: OpenApp;
let first: TestStore;
let second: TestStore;
let platform: TestPlatformApp;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api' });
  other = await openApp({ ROLE: 'api' }, app);
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  [first, second] = [await app.aStore(), await app.aStore()];
  platform = await aPlatformApp(app);
});

const change = (changes: object) => app.admin('patch', `/admin/platform-apps/${platform.id}`).send(changes);
const list = (node: OpenApp, { domain }: TestStore, token: string) => node.api(domain, token)('get', '/apps/catalog/products');

describe('a platform app', () => {
  it('has its credentials shown once, and a client id that is listed', async () => {
    const { body } = await app.admin('get', `/admin/platform-apps/${platform.id}`).expect(200);
    expect(body).toMatchObject({ clientId: platform.clientId, status: 'Active', optionalScopes: ['read_orders'] });
    const { text } = await app.admin('get', '/admin/platform-apps?take=250').expect(200);
    expect(text).toContain(platform.id);
    for (const secret of [platform.clientSecret, platform.signingSecret]) {
      expect(text).not.toContain(secret);
      expect(app.log.join()).not.toContain(secret);
    }
  });

  it.each([
    'http://app.example.com/',
    'https://app.example.com/#x',
    'https://user@app.example.com/',
    'https://app.example.com/a/../b',
    'https://app.example.com\\@evil.example/',
    'javascript:alert(1)',
    '/installed',
    ' https://app.example.com/',
    'HTTPS://app.example.com/',
  ])('cannot return to %s', async (url) => {
    const { body } = await change({ redirectUrls: [url] }).expect(400);
    expect(body).toMatchObject({ detail: expect.stringMatching(/^A redirect URL/) as string });
  });

  it('gets a token on a store where it is installed, and the 401 of any other client elsewhere', async () => {
    await installOn(app, first, platform);
    const token = await tokenOn(app, first, platform);
    await list(app, first, token).expect(200);
    await list(app, second, token).expect(401);
    const nowhere = await tokenRequest(app, second, platform).expect(401);
    const unknown = await tokenRequest(app, second, { ...platform, clientId: (await aPlatformApp(app)).clientId }).expect(401);
    const same = ({ status, text, headers }: request.Response) => ({ status, text, auth: headers['www-authenticate'] });
    expect(same(nowhere)).toEqual({ status: 401, text: '', auth: same(unknown).auth });
    await tokenRequest(app, first, { ...platform, clientSecret: (await aPlatformApp(app)).clientSecret }).expect(401);
  });

  it('that is uninstalled on one store stays on the others, and can be installed again', async () => {
    const id = await installOn(app, first, platform);
    await installOn(app, second, platform);
    const [mine, theirs] = [await tokenOn(app, first, platform), await tokenOn(app, second, platform)];
    await app.admin('post', `/admin/apps/${id}/uninstall`).expect(204);
    await list(app, first, mine).expect(401);
    await tokenRequest(app, first, platform).expect(401);
    await list(app, second, theirs).expect(200);
    expect(await installOn(app, first, platform)).not.toBe(id);
    await list(app, first, mine).expect(401);
    await list(app, first, await tokenOn(app, first, platform)).expect(200);
  });

  it('that is suspended may not call on any store from the next request on every node', async () => {
    const id = await installOn(app, first, platform);
    await installOn(app, second, platform);
    const tokens = [await tokenOn(app, first, platform), await tokenOn(other, second, platform)] as const;
    await change({ status: 'Suspended' }).expect(200);
    for (const node of [app, other]) {
      await list(node, first, tokens[0]).expect(401);
      await list(node, second, tokens[1]).expect(401);
      await tokenRequest(node, first, platform).expect(401);
    }
    const { body } = await app.admin('get', `/admin/apps/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'Suspended', platformAppId: platform.id, clientId: platform.clientId });
    await change({ status: 'Active' }).expect(200);
    for (const node of [app, other]) await list(node, first, tokens[0]).expect(401);
    await list(other, first, await tokenOn(app, first, platform)).expect(200);
  });

  it('has one rotation for all stores', async () => {
    await installOn(app, first, platform);
    await installOn(app, second, platform);
    const at = `/admin/platform-apps/${platform.id}`;
    const { body } = await app.admin('post', `${at}/rotate-client-secret`).send({ overlapSeconds: 60 }).expect(200);
    const { clientSecret } = body as { clientSecret: string };
    for (const secret of [clientSecret, platform.clientSecret])
      for (const store of [first, second]) await tokenRequest(app, store, { ...platform, clientSecret: secret }).expect(200);
    await app.admin('post', `${at}/rotate-client-secret`).send({ overlapSeconds: 0 }).expect(200);
    for (const store of [first, second]) await tokenRequest(app, store, { ...platform, clientSecret }).expect(401);
    await app.admin('post', `${at}/rotate-signing-secret`).send({}).expect(200);
    await app.admin('post', `${at}/rotate-signing-secret`).send({ overlapSeconds: -1 }).expect(400);
  });

  it('keeps the secrets of one installation from being rotated', async () => {
    const id = await installOn(app, first, platform);
    for (const kind of ['client', 'signing']) {
      const { body } = await app.admin('post', `/admin/apps/${id}/rotate-${kind}-secret`).send({}).expect(409);
      expect(body).toMatchObject({ detail: expect.stringContaining('platform app') as string });
    }
  });

  it('lists its installations on all stores', async () => {
    const ids = [await installOn(app, first, platform), await installOn(app, second, platform)];
    const { body } = await app.admin('get', `/admin/platform-apps/${platform.id}/installations`).expect(200);
    expect(body).toMatchObject({ total: 2, items: ids.map((id) => ({ id, name: 'Stock sync' })) });
  });
});

describe('the scopes of an installation', () => {
  const own = async (token: string) =>
    (await app.api(first.domain, token)('get', '/apps/installation').expect(200)).body as object;

  it('widen only by consent, and what is asked for since is pending', async () => {
    const id = await installOn(app, first, platform, ['write_products']);
    const token = await tokenOn(app, first, platform);
    await change({ scopes: ['write_products', 'read_collections'] }).expect(200);
    const collection = () => app.api(first.domain, token)('get', `/apps/catalog/collections/${first.id}/products`);
    await collection().expect(403);
    const path = `/apps/install?client_id=${platform.clientId}&scope=read_collections+read_orders`;
    expect(await own(token)).toMatchObject({
      id,
      scopes: ['write_products'],
      pendingScopes: ['read_collections'],
      optionalScopes: ['read_orders'],
      installPath: path,
    });
    const wider = { scopes: ['write_products', 'read_collections'] };
    await app.admin('patch', `/admin/apps/${id}`).send(wider).expect(409);
    const asked = await app
      .api(first.domain, null)('get', `${path}&redirect_uri=${encodeURIComponent(platform.redirectUrl)}`)
      .expect(302);
    const request = new URL(asked.headers['location'] ?? '').searchParams.get('request') ?? '';
    const { body } = await app.admin('post', `/admin/install-requests/${request}/accept`).send(wider).expect(200);
    expect(body).toMatchObject({ installation: { id, scopes: ['read_collections', 'write_products'] } });
    await collection().expect(404);
    expect(await own(token)).toMatchObject({ pendingScopes: [], optionalScopes: ['read_orders'] });
  });

  it('narrow at once on every store, by the app and by the merchant', async () => {
    const id = await installOn(app, first, platform, ['write_products', 'read_orders']);
    await installOn(app, second, platform, ['write_products', 'read_orders']);
    const [mine, theirs] = [await tokenOn(app, first, platform), await tokenOn(app, second, platform)];
    await app
      .admin('patch', `/admin/apps/${id}`)
      .send({ scopes: ['write_products'] })
      .expect(200);
    expect(await own(mine)).toMatchObject({ scopes: ['write_products'], optionalScopes: ['read_orders'] });
    await change({ scopes: ['read_collections'], optionalScopes: [] }).expect(200);
    await list(app, first, mine).expect(403);
    await list(other, second, theirs).expect(403);
    // Asking again gives nothing back: that needs consent.
    await change({ scopes: ['write_products'] }).expect(200);
    await list(app, first, mine).expect(403);
    expect(await own(mine)).toMatchObject({ scopes: [], pendingScopes: ['write_products'] });
  });

  it('keep the read scope where the app asks for the write scope instead, which is pending, and the other way round', async () => {
    platform = await aPlatformApp(app, { scopes: ['read_products'] });
    await installOn(app, first, platform, ['read_products', 'read_orders']);
    const token = await tokenOn(app, first, platform);
    await change({ scopes: ['write_products'], optionalScopes: [] }).expect(200);
    await list(app, first, token).expect(200);
    expect(await own(token)).toMatchObject({ scopes: ['read_products'], pendingScopes: ['write_products'] });
    await installOn(app, first, platform, ['write_products']);
    await change({ scopes: ['read_products'] }).expect(200);
    await list(app, first, token).expect(200);
    expect(await own(token)).toMatchObject({ scopes: ['read_products'], pendingScopes: [] });
  });

  it('of an app that the store made have nothing pending', async () => {
    const token = await app.token(await app.anApp(first, ['read_products']));
    expect(await own(token)).toMatchObject({ scopes: ['read_products'], pendingScopes: [], installPath: null });
  });
});
