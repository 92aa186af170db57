import type request from 'supertest';

import type { OpenApp, TestStore } from './app.ts';

export interface TestPlatformApp {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  readonly redirectUrl: string;
}

/** The app requires write_products, and read_orders is optional. */
export const aPlatformApp = async (app: OpenApp, more: object = {}): Promise<TestPlatformApp> => {
  const redirectUrl = 'https://app.example.com/installed?via=tenon';
  const given = { name: 'Stock sync', redirectUrls: [redirectUrl], scopes: ['write_products'], optionalScopes: ['read_orders'] };
  const { body } = await app
    .admin('post', '/admin/platform-apps')
    .send({ ...given, ...more })
    .expect(201);
  const { app: registered, ...credentials } = body as Omit<TestPlatformApp, 'id' | 'redirectUrl'> & { app: { id: string } };
  return { id: registered.id, redirectUrl, ...credentials };
};

/** The app sends a merchant to the store. */
export const asksToInstall = (
  app: OpenApp,
  { domain }: TestStore,
  { clientId, redirectUrl }: TestPlatformApp,
  more: Readonly<Record<string, string>> = {},
): request.Test => {
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUrl, state: 'a b&c', ...more });
  return app.api(domain, null)('get', `/apps/install?${query.toString()}`);
};

/** The id of the request that the app made. */
export const requestOf = async (asked: request.Test): Promise<string> => {
  const { headers } = await asked.expect(302);
  return new URL(headers['location'] ?? '').searchParams.get('request') ?? '';
};

/** Installs the app on the store. Returns the installation's id. */
export const installOn = async (app: OpenApp, store: TestStore, platform: TestPlatformApp, scopes?: readonly string[]) => {
  const id = await requestOf(asksToInstall(app, store, platform, { scope: scopes?.join(' ') ?? '' }));
  const { body } = await app.admin('post', `/admin/install-requests/${id}/accept`).send({ scopes }).expect(200);
  return (body as { installation: { id: string } }).installation.id;
};

/** A token request of the app on the store. */
export const tokenRequest = (app: OpenApp, { domain }: TestStore, { clientId, clientSecret }: TestPlatformApp): request.Test =>
  app
    .api(domain, null)('post', '/apps/token')
    .type('form')
    .send({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });

export const tokenOn = async (app: OpenApp, store: TestStore, platform: TestPlatformApp): Promise<string> =>
  ((await tokenRequest(app, store, platform).expect(200)).body as { accessToken: string }).accessToken;
