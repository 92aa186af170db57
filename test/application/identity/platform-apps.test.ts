import { beforeEach, expect, it } from 'vitest';

import { updatePlatformApp } from '../../../src/application/identity/platform-apps.ts';
import type { PlatformAppRepository } from '../../../src/domain/ports/identity/platform-app-repository.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const open = () => openMemoryPorts();
let ports: ReturnType<typeof open>;
const [app, store] = ['an-app', 'a-store'];
beforeEach(async () => {
  ports = open();
  const manifest = {
    redirectUrls: ['https://app.test/'],
    scopes: ['write_products'],
    optionalScopes: ['read_orders'],
    eventUrl: null,
  } as const;
  const secrets = { clientSecret: { id: 'client', hash: '00' }, signingSecret: { id: 'signing', sealed: 'sealed' } };
  await ports.platformApps.create({ id: app, name: 'App', clientId: app, ...manifest, ...secrets });
  await ports.stores.create({ id: store, domain: 'localhost', name: 'Store', currency: 'EUR' });
  const request = { id: 'a-request', storeId: store, appId: app, isKept: false };
  const scopes = ['read_orders', 'write_products'] as const;
  await ports.installRequests.accept(request, { installationId: 'installed', scopes });
});

/** Changes the app while another change comes before each call of `method`. */
const change = (method: 'beyondManifest' | 'update', changes: Parameters<PlatformAppRepository['update']>[1]) => {
  let calls = 0;
  const meanwhile = async (): Promise<void> => {
    if ((calls += 1) > 5) throw new Error('The change does not end.');
    await ports.platformApps.update(app, { scopes: [] });
  };
  const between: Partial<PlatformAppRepository> = {
    beyondManifest: async (...given) => (await meanwhile(), ports.platformApps.beyondManifest(...given)),
    update: async (...given) => (await meanwhile(), ports.platformApps.update(...given)),
  };
  const platformApps = { ...ports.platformApps, [method]: between[method] };
  return updatePlatformApp({ ...ports, platformApps }, async () => null)(app, changes);
};
const manifest = async () => {
  const { scopes, optionalScopes } = (await ports.platformApps.get(app)) ?? {};
  return { scopes, optionalScopes };
};

it('of two changes at once, both end, and what either takes away is gone', async () => {
  await change('beyondManifest', { optionalScopes: [] });
  expect(await manifest()).toEqual({ scopes: [], optionalScopes: [] });
  expect(await ports.installations.get(store, 'installed')).toMatchObject({ scopes: [] });
});

it('a change of one field leaves another as a change at the same time made it', async () => {
  await change('update', { optionalScopes: ['read_orders', 'read_content'] });
  expect(await manifest()).toEqual({ scopes: [], optionalScopes: ['read_content', 'read_orders'] });
});
