import { describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createApplication } from '../../../src/application/index.ts';
import { CREDENTIAL_PATTERNS } from '../../../src/domain/identity/token.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';
import { DELIVERY } from '../../support/delivery-settings.ts';
import { NO_SANDBOXES } from '../../support/sandbox-settings.ts';
import { uncounted } from '../../support/uncounted.ts';

const MINUTE = 60_000;

const open = async (
  appConsoleUrl: ((domain: string) => string) | null = (domain) => `https://${domain}/apps/console/`,
  more: Partial<Parameters<typeof createApplication>[1]> = {},
) => {
  const ports = openMemoryPorts();
  const app = createApplication(ports, {
    idempotencyMaxResponseBytes: 262_144,
    bulkMaxProducts: 250,
    secretOverlapSeconds: 86_400,
    ...NO_SANDBOXES,
    webhookAllowedCidrs: [],
    eventFields: EVENT_FIELDS,
    delivery: DELIVERY,
    adminToken: 'the-admin-token-of-the-tests',
    appConsoleUrl,
    consentUrl: 'https://console.test/console/install',
    ...more,
  });
  const aStore = async (domain: string) => {
    const made = await app.createStore({ domain });
    if (!made.ok) throw new Error(made.message);
    return made.value;
  };
  const anApp = async (storeId: string) => {
    const made = await app.installApp(storeId, { name: 'App', scopes: ['read_products'] });
    if (!made.ok) throw new Error(made.message);
    return made.value;
  };
  const store = await aStore('a.test');
  const { installation, clientId, clientSecret } = await anApp(store.id);
  const session = async (): Promise<string> => {
    const signedIn = await app.signInApp({ clientId, clientSecret }, 'a.test', uncounted);
    if (!signedIn.ok) throw new Error(signedIn.code);
    return signedIn.value;
  };
  const aCode = async (): Promise<string> => {
    const made = await app.createAppConsoleCode(installation.id);
    if (!made.ok) throw new Error(made.message);
    return new URL(made.value.url).hash.slice('#code='.length);
  };
  return { ports, app, store, installation, clientId, clientSecret, aStore, anApp, session, aCode };
};

const rejected = (reason: string) => ({ ok: false, code: 'unauthenticated', message: '', reason });

describe('signing in to the console of an app', () => {
  it('with the client credentials starts a session of the installation', async () => {
    const { app, store, installation, session } = await open();
    const started = await session();
    expect(started).toMatch(CREDENTIAL_PATTERNS.session);
    expect(await app.authenticateSession(started, 'a.test')).toEqual({
      ok: true,
      caller: { storeId: store.id, installationId: installation.id, scopes: ['read_products'], sandboxAppId: null },
      known: null,
    });
  });

  it('is rejected with the reason for the log', async () => {
    const { app, aStore, anApp, clientId, clientSecret, installation } = await open();
    const other = await anApp((await aStore('b.test')).id);
    const signIn = (proof: Parameters<typeof app.signInApp>[0], domain = 'a.test') => app.signInApp(proof, domain, uncounted);
    expect(await signIn({ clientId: 'x', clientSecret })).toEqual(rejected('malformed_client_id'));
    expect(await signIn({ code: 'x' })).toEqual(rejected('malformed'));
    expect(await signIn({ clientId, clientSecret }, 'b.test')).toEqual(rejected('unknown_client'));
    expect(await signIn({ clientId, clientSecret: other.clientSecret })).toEqual(rejected('wrong_secret'));
    await app.updateInstallation(installation.id, { status: 'Suspended' });
    expect(await signIn({ clientId, clientSecret })).toEqual(rejected('suspended'));
    await app.uninstallApp(null, installation.id);
    expect(await signIn({ clientId, clientSecret })).toEqual(rejected('uninstalled'));
  });

  it('an app that is suspended between the check and the start gets no session', async () => {
    const { app, ports, clientId, clientSecret } = await open();
    const late = createApplication(
      { ...ports, appConsoleSessions: { ...ports.appConsoleSessions, start: () => Promise.resolve(false) } },
      {
        idempotencyMaxResponseBytes: 1,
        bulkMaxProducts: 1,
        secretOverlapSeconds: 1,
        ...NO_SANDBOXES,
        webhookAllowedCidrs: [],
        eventFields: EVENT_FIELDS,
        delivery: DELIVERY,
        adminToken: 'the-admin-token-of-the-tests',
        appConsoleUrl: null,
        consentUrl: 'https://console.test/console/install',
      },
    );
    expect(await late.signInApp({ clientId, clientSecret }, 'a.test', uncounted)).toEqual(rejected('suspended'));
    expect(await app.signInApp({ clientId, clientSecret }, 'a.test', uncounted)).toMatchObject({ ok: true });
  });

  it('with a link of the merchant works once, on the domain of its store', async () => {
    const { app, aCode, aStore, ports } = await open();
    await aStore('b.test');
    const [code, old] = [await aCode(), await aCode()];
    expect(await app.lookAtAppCode(code, 'a.test')).toEqual({ ok: true, value: { name: 'App' } });
    for (const domain of ['b.test', null]) expect(await app.lookAtAppCode(code, domain)).toEqual(rejected('unknown_client'));
    expect(await app.lookAtAppCode('x', 'a.test')).toEqual(rejected('malformed'));
    expect(await app.signInApp({ code }, 'b.test', uncounted)).toEqual(rejected('unknown_client'));
    expect(await app.signInApp({ code }, 'a.test', uncounted)).toMatchObject({ ok: true });
    expect(await app.signInApp({ code }, 'a.test', uncounted)).toEqual(rejected('unknown_client'));
    ports.clock.advance(10 * MINUTE);
    expect(await app.signInApp({ code: old }, 'a.test', uncounted)).toEqual(rejected('unknown_client'));
  });
});

describe('a link to the console of an app', () => {
  it('is on the domain of the store, and tells when it expires', async () => {
    const { app, installation, ports } = await open();
    expect(await app.createAppConsoleCode(installation.id)).toEqual({
      ok: true,
      value: {
        url: expect.stringMatching(/^https:\/\/a\.test\/apps\/console\/#code=tnn_code_\w{49}$/) as string,
        expiresAt: new Date(ports.clock.now() + 10 * MINUTE).toISOString(),
      },
    });
  });

  it('is refused where it would lead nowhere', async () => {
    const { app, installation, store, ports } = await open();
    const messageOf = async (id = installation.id, from = app) => {
      const made = await from.createAppConsoleCode(id);
      return made.ok ? 'made' : `${made.code}: ${made.message}`;
    };
    expect(await messageOf(ports.ids.next())).toBe('not_found: Installation not found.');
    expect(await messageOf((await open(null)).installation.id, (await open(null)).app)).toBe(
      'conflict: The app console is off. Set APP_CONSOLE to on.',
    );
    await app.updateStore(store.id, { status: 'Inactive' });
    expect(await messageOf()).toBe('conflict: The app is not installed, or its store is inactive.');
    await app.updateStore(store.id, { status: 'Active' });
    await app.updateInstallation(installation.id, { status: 'Suspended' });
    expect(await messageOf()).toBe('conflict: The app is not installed, or its store is inactive.');
  });
});

describe('a session of an app', () => {
  it('ends when it is signed out, and no other with it', async () => {
    const { app, session } = await open();
    const [one, other] = [await session(), await session()];
    await app.signOutApp(one, 'a.test');
    const states = [await app.authenticateSession(one, 'a.test'), await app.authenticateSession(other, 'a.test')];
    expect(states).toMatchObject([{ ok: false, reason: 'unknown_token' }, { ok: true }]);
  });

  it.each(['', `tnn_session_${'0'.repeat(49)}`])('is not %j, which costs no look-up', async (text) => {
    const { app } = await open();
    expect(await app.authenticateSession(text, 'a.test')).toEqual({ ok: false, reason: 'malformed' });
  });

  it('is described by the names of its store and app', async () => {
    const { app, store, installation, ports } = await open();
    const caller = { storeId: store.id, installationId: installation.id, scopes: ['read_orders'] as const };
    expect(await app.describeCaller(caller)).toEqual({
      ok: true,
      value: {
        store: { id: store.id, name: 'a.test', domain: 'a.test' },
        installation: { id: installation.id, name: 'App', scopes: ['read_orders'] },
      },
    });
    for (const missing of [{ storeId: ports.ids.next() }, { installationId: ports.ids.next() }]) {
      expect(await app.describeCaller({ ...caller, ...missing })).toMatchObject({
        code: 'not_found',
        message: 'Installation not found.',
      });
    }
  });
});

describe('the developer of a platform app', () => {
  const withApp = async (more: Partial<Parameters<typeof createApplication>[1]> = {}) => {
    const world = await open(undefined, more);
    const made = await world.app.createPlatformApp({
      ...{ name: 'Stock sync', redirectUrls: ['https://stock.test/installed'], scopes: [], optionalScopes: [], eventUrl: null },
    });
    if (!made.ok) throw new Error(made.message);
    return { ...world, platform: made.value };
  };

  it('signs in with the client credentials of the app on any host, or on none', async () => {
    const { app, platform } = await withApp();
    for (const domain of ['a.test', 'nobody.test', null]) {
      const signedIn = await app.signInApp(platform, domain, uncounted);
      const session = signedIn.ok ? signedIn.value : '';
      expect(await app.useDeveloperSession(session)).toMatchObject({ app: { id: platform.app.id }, openedBy: 'Secret' });
      await app.signOutApp(session, domain);
      expect(await app.useDeveloperSession(session)).toBeNull();
    }
    expect(await app.useDeveloperSession('tnn_session_x')).toBeNull();
    const wrong = { ...platform, clientSecret: `tnn_cs_${'0'.repeat(49)}` };
    expect(await app.signInApp(wrong, null, uncounted)).toEqual(rejected('malformed_client_secret'));
  });

  it('gets a link where the platform has a domain, and the app may be used', async () => {
    const { app, platform, ports } = await withApp({ sandboxDomain: 'sandbox.test' });
    const made = await app.createDeveloperCode(platform.app.id);
    expect(made).toMatchObject({
      ok: true,
      value: { url: expect.stringMatching(/^https:\/\/sandbox\.test\/apps\/console\/#code=/) as string },
    });
    const code = made.ok ? new URL(made.value.url).hash.slice('#code='.length) : '';
    expect(await app.lookAtAppCode(code, 'a.test')).toEqual({ ok: true, value: { name: platform.app.name } });
    const signedIn = await app.signInApp({ code }, null, uncounted);
    expect(await app.useDeveloperSession(signedIn.ok ? signedIn.value : '')).toMatchObject({ openedBy: 'Link' });
    expect(await app.createDeveloperCode(ports.ids.next())).toMatchObject({
      code: 'not_found',
      message: 'Platform app not found.',
    });
    await app.updatePlatformApp(platform.app.id, { status: 'Suspended' });
    expect(await app.createDeveloperCode(platform.app.id)).toMatchObject({ code: 'conflict', message: 'The app is suspended.' });
    expect(await app.signInApp(platform, null, uncounted)).toEqual(rejected('suspended'));
    const homeless = await withApp();
    expect(await homeless.app.createDeveloperCode(homeless.platform.app.id)).toMatchObject({
      message: 'The link needs a domain of the platform. Set SANDBOX_DOMAIN.',
    });
    const off = await withApp({ appConsoleUrl: null });
    expect(await off.app.createDeveloperCode(off.platform.app.id)).toMatchObject({
      message: 'The app console is off. Set APP_CONSOLE to on.',
    });
  });

  it('sees what each merchant has not granted yet', async () => {
    const { app, ports, platform, store } = await withApp();
    const request = { id: ports.ids.next(), storeId: store.id, appId: platform.app.id, isKept: false };
    await ports.installRequests.accept(request, { installationId: ports.ids.next(), scopes: [] });
    await app.updatePlatformApp(platform.app.id, { scopes: ['read_orders'] });
    const current = await ports.platformApps.get(platform.app.id);
    if (!current) throw new Error('there is no app');
    const pending = async () =>
      (await app.watchInstallations(current, { skip: 0, take: 9 })).value.items.map(({ pendingScopes }) => pendingScopes);
    expect(await pending()).toEqual([['read_orders']]);
    const [{ id } = { id: '' }] = (await app.watchInstallations(current, { skip: 0, take: 9 }, 'a.te')).value.items;
    await app.uninstallApp(null, id);
    expect(await pending()).toEqual([[]]);
  });
});
