import { beforeEach, describe, expect, it } from 'vitest';

import { authenticate } from '../../../src/application/identity/authenticate.ts';
import { createStore, updateStore } from '../../../src/application/identity/store-changes.ts';
import { exchangeToken } from '../../../src/application/identity/exchange-token.ts';
import { identityLookups } from '../../../src/application/identity/lookups.ts';
import { installApp, type InstalledApp } from '../../../src/application/identity/install-app.ts';
import {
  revokeTokens,
  rotateClientSecret,
  rotateSigningSecret,
  updateInstallation,
} from '../../../src/application/identity/change-installation.ts';
import { uninstallApp } from '../../../src/application/identity/uninstall-app.ts';
import type { Store } from '../../../src/domain/identity/store.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';
import { uncounted } from '../../support/uncounted.ts';

const PAGE = { skip: 0, take: 10 };
const UNKNOWN = '00000000-0000-7000-8000-00000000ffff';
const value = <T>(result: { ok: true; value: T } | { ok: false; message: string }): T => {
  if (!result.ok) throw new Error(result.message);
  return result.value;
};

let ports: ReturnType<typeof openMemoryPorts>;
let store: Store;
let app: InstalledApp;
/** Requests that the queues got again. */
let resumed: { deliveries: unknown[]; imports: unknown[] };

beforeEach(async () => {
  resumed = { deliveries: [], imports: [] };
  const memory = openMemoryPorts();
  ports = {
    ...memory,
    deliveries: {
      ...memory.deliveries,
      queuedSubscriptions: async ({ storeId, installationId }) => [
        { storeId, subscriptionId: `subscription of ${installationId ?? storeId}` },
      ],
    },
    deliveryQueue: {
      ...memory.deliveryQueue,
      wake: async (keys) => void resumed.deliveries.push(...keys.map(({ subscriptionId }) => subscriptionId)),
    },
    mediaImports: {
      ...memory.mediaImports,
      toRun: async (owner) => {
        const { storeId = 'all', installationId = 'all' } = owner ?? {};
        return [{ storeId, installationId }];
      },
    },
    importQueue: { ...memory.importQueue, ask: async (owners) => void resumed.imports.push(...owners) },
  };
  store = value(await createStore(ports, null)({ domain: 'shop.example' }));
  app = value(await installApp(ports)(store.id, { name: 'App', scopes: ['read_products'] }));
});

describe('a store', () => {
  it('is named after its domain and sells in US dollars by default', async () => {
    expect(store).toMatchObject({ domain: 'shop.example', name: 'shop.example', currency: 'USD', status: 'Active' });
    const given = { domain: 'other.example', name: 'Other', currency: 'EUR' };
    expect(value(await createStore(ports, null)(given))).toMatchObject(given);
  });
  it('is found by its id and listed', async () => {
    expect(await identityLookups(ports).getStore(store.id)).toEqual({ ok: true, value: store });
    expect(await identityLookups(ports).listStores(PAGE)).toEqual({
      ok: true,
      value: { items: [store], ...PAGE, total: 1, next: null },
    });
  });
  it('that does not exist is not found', async () => {
    const refused = { ok: false, code: 'not_found', message: 'Store not found.' };
    expect(await identityLookups(ports).getStore(UNKNOWN)).toEqual(refused);
    expect(await identityLookups(ports).listInstallations(UNKNOWN, PAGE)).toEqual(refused);
    expect(await updateStore(ports, null)(UNKNOWN, { status: 'Active' })).toEqual(refused);
    expect(await installApp(ports)(UNKNOWN, { name: 'App', scopes: [] })).toEqual(refused);
    expect(resumed).toEqual({ deliveries: [], imports: [] });
  });
  it('cannot have the domain of another one, which the refusal names', async () => {
    const refused = { ok: false, code: 'conflict', message: 'The domain shop.example belongs to another store.' };
    const other = value(await createStore(ports, null)({ domain: 'other.example' }));
    expect(await createStore(ports, null)({ domain: 'shop.example' })).toEqual(refused);
    expect(await updateStore(ports, null)(other.id, { domain: 'shop.example' })).toEqual(refused);
  });
  it('resumes the work of all its apps when it becomes Active, and not otherwise', async () => {
    await updateStore(ports, null)(store.id, { status: 'Inactive' });
    await updateStore(ports, null)(store.id, { name: 'Shop' });
    expect(resumed).toEqual({ deliveries: [], imports: [] });
    expect(await updateStore(ports, null)(store.id, { status: 'Active' })).toMatchObject({
      ok: true,
      value: { status: 'Active' },
    });
    expect(resumed).toEqual({
      deliveries: [`subscription of ${store.id}`],
      imports: [{ storeId: store.id, installationId: 'all' }],
    });
  });
});

describe('an installation', () => {
  it('is found by its id and listed under its store', async () => {
    const { installation } = app;
    expect(await identityLookups(ports).getInstallation(installation.id)).toEqual({ ok: true, value: installation });
    expect(await identityLookups(ports).listInstallations(store.id, PAGE)).toEqual({
      ok: true,
      value: { items: [installation], ...PAGE, total: 1, next: null },
    });
  });
  it('that does not exist is not found', async () => {
    const refused = { ok: false, code: 'not_found', message: 'Installation not found.' };
    expect(await identityLookups(ports).getInstallation(UNKNOWN)).toEqual(refused);
    expect(await updateInstallation(ports)(UNKNOWN, { name: 'x' })).toEqual(refused);
    expect(await uninstallApp(ports)(null, UNKNOWN)).toEqual(refused);
    expect(await revokeTokens(ports)(UNKNOWN)).toEqual(refused);
    expect(await rotateClientSecret(ports, 0)(UNKNOWN)).toEqual(refused);
    expect(await rotateSigningSecret(ports, 0)(UNKNOWN)).toEqual(refused);
  });
  it('that is uninstalled stays so: nothing of it changes', async () => {
    await uninstallApp(ports)(null, app.installation.id);
    const refused = { ok: false, code: 'conflict', message: 'The app is uninstalled, which is final.' };
    expect(await updateInstallation(ports)(app.installation.id, { name: 'x' })).toEqual(refused);
    expect(await rotateClientSecret(ports, 0)(app.installation.id)).toEqual(refused);
    expect(await rotateSigningSecret(ports, 0)(app.installation.id)).toEqual(refused);
    expect(resumed).toEqual({ deliveries: [], imports: [] });
  });
  it('resumes its own work when it is changed and installed, and not while it is suspended', async () => {
    const { id } = app.installation;
    await updateInstallation(ports)(id, { status: 'Suspended' });
    expect(resumed).toEqual({ deliveries: [], imports: [] });
    await updateInstallation(ports)(id, { status: 'Installed' });
    expect(resumed).toEqual({ deliveries: [`subscription of ${id}`], imports: [{ storeId: store.id, installationId: id }] });
  });
  it('keeps its scopes when only its name changes', async () => {
    expect(value(await updateInstallation(ports)(app.installation.id, { name: 'Renamed' }))).toMatchObject({
      name: 'Renamed',
      scopes: ['read_products'],
    });
  });
});

describe('credentials', () => {
  const token = async (): Promise<string> =>
    value(
      await exchangeToken(ports)({ clientId: app.clientId, clientSecret: app.clientSecret, domain: 'shop.example' }, uncounted),
    ).accessToken;

  it('revoking ends every token, and the client secret still gets new ones', async () => {
    const before = await token();
    expect(await revokeTokens(ports)(app.installation.id)).toEqual({ ok: true, value: null });
    expect(await authenticate(ports)(before, 'shop.example')).toEqual({ ok: false, reason: 'revoked' });
    expect(await authenticate(ports)(await token(), 'shop.example')).toMatchObject({ ok: true });
  });
  it('a client id with a wrong checksum is malformed, with any secret', async () => {
    const wrong = `${app.clientId.slice(0, -1)}${app.clientId.endsWith('0') ? '1' : '0'}`;
    expect(
      await exchangeToken(ports)({ clientId: wrong, clientSecret: app.clientSecret, domain: 'shop.example' }, uncounted),
    ).toMatchObject({ ok: false, reason: 'malformed_client_id' });
  });
  it('a new signing secret is returned once, and the old one also signs for the overlap', async () => {
    const { id, storeId } = app.installation;
    const rotated = value(await rotateSigningSecret(ports, 60)(id));
    const secrets = async () =>
      (await ports.installations.signingSecrets(storeId, id)).map((sealed) => ports.secrets.open(sealed, id));
    expect(rotated.previousExpiresAt).toBe(new Date(ports.clock.now() + 60_000).toISOString());
    expect(await secrets()).toEqual([rotated.signingSecret, app.signingSecret]);
    ports.clock.advance(60_000);
    expect(await secrets()).toEqual([rotated.signingSecret]);
  });
  it('an overlap of more than 168 hours is refused, and the secrets stay', async () => {
    const { id, storeId } = app.installation;
    const refused = { ok: false, code: 'invalid', message: expect.stringContaining('604800') as string };
    expect(await rotateSigningSecret(ports, 60)(id, 604_801)).toEqual(refused);
    expect(await rotateClientSecret(ports, 60)(id, 604_801)).toEqual(refused);
    expect(await ports.installations.signingSecrets(storeId, id)).toHaveLength(1);
    expect(await token()).toMatch(/^tnn_at_/);
  });
});
