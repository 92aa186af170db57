import { describe, expect, it } from 'vitest';

import { createApplication } from '../../../src/application/index.ts';
import { CREDENTIAL_PATTERNS } from '../../../src/domain/identity/token.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';
import { DELIVERY } from '../../support/delivery-settings.ts';

const MINUTE = 60_000;

const open = async (appConsoleUrl: ((domain: string) => string) | null = (domain) => `https://${domain}/apps/console/`) => {
  const ports = openMemoryPorts();
  const app = createApplication(ports, {
    idempotencyMaxResponseBytes: 262_144,
    bulkMaxProducts: 250,
    secretOverlapSeconds: 86_400,
    webhookAllowedCidrs: [],
    delivery: DELIVERY,
    adminToken: 'the-admin-token-of-the-tests',
    appConsoleUrl,
    consentUrl: 'https://console.test/console/install',
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
    const signedIn = await app.signInApp({ clientId, clientSecret }, 'a.test');
    if (!signedIn.ok) throw new Error(signedIn.reason);
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
      caller: { storeId: store.id, installationId: installation.id, scopes: ['read_products'] },
      known: null,
    });
  });

  it('is rejected with the reason for the log', async () => {
    const { app, aStore, anApp, clientId, clientSecret, installation } = await open();
    const other = await anApp((await aStore('b.test')).id);
    const signIn = (proof: Parameters<typeof app.signInApp>[0], domain = 'a.test') => app.signInApp(proof, domain);
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
        webhookAllowedCidrs: [],
        delivery: DELIVERY,
        adminToken: 'the-admin-token-of-the-tests',
        appConsoleUrl: null,
        consentUrl: 'https://console.test/console/install',
      },
    );
    expect(await late.signInApp({ clientId, clientSecret }, 'a.test')).toEqual(rejected('suspended'));
    expect(await app.signInApp({ clientId, clientSecret }, 'a.test')).toMatchObject({ ok: true });
  });

  it('with a link of the merchant works once, on the domain of its store', async () => {
    const { app, aCode, aStore, ports } = await open();
    await aStore('b.test');
    const [code, old] = [await aCode(), await aCode()];
    expect(await app.signInApp({ code }, 'b.test')).toEqual(rejected('unknown_client'));
    expect(await app.signInApp({ code }, 'a.test')).toMatchObject({ ok: true });
    expect(await app.signInApp({ code }, 'a.test')).toEqual(rejected('unknown_client'));
    ports.clock.advance(10 * MINUTE);
    expect(await app.signInApp({ code: old }, 'a.test')).toEqual(rejected('unknown_client'));
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
      expect(await app.describeCaller({ ...caller, ...missing })).toMatchObject({ ok: false, code: 'not_found' });
    }
  });
});
