import { beforeEach, describe, expect, it } from 'vitest';

import { authenticateDeveloper } from '../../../src/application/identity/check-client.ts';
import { platformApps } from '../../../src/application/identity/platform-apps.ts';
import {
  rotateClientSecret,
  rotateSigningSecret,
  updateInstallation,
} from '../../../src/application/identity/change-installation.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import { refuse } from '../../../src/domain/result.ts';
import { CREDENTIAL_PATTERNS } from '../../../src/domain/identity/token.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { uncounted } from '../../support/uncounted.ts';

const SETTINGS = { secretOverlapSeconds: 60, consentUrl: 'https://consent.test/', appConsoleUrl: null, sandboxDomain: null };
const PAGE = { skip: 0, take: 9 };
const NEW = {
  name: 'App',
  redirectUrls: ['https://app.test/installed'],
  scopes: ['write_products'],
  optionalScopes: ['read_orders'],
  eventUrl: null,
} as const;
const UNKNOWN = { code: 'not_found', message: 'Platform app not found.' };
const judge = async (url: string) => (url.includes('private') ? refuse('invalid', 'url must not be a private address.') : null);

let ports: MemoryWorld;
let uses: ReturnType<typeof platformApps>;
beforeEach(async () => {
  ports = openMemoryPorts();
  uses = platformApps(ports, SETTINGS, judge);
  await ports.stores.create({ id: 'store', domain: 'shop.test', name: 'Shop', currency: 'EUR' });
});
const made = async (more: Partial<Parameters<typeof uses.createPlatformApp>[0]> = {}) => {
  const created = await uses.createPlatformApp({ ...NEW, ...more });
  return created.ok ? created.value : expect.fail(created.message);
};
/** The app on the store, with the scopes that it requires. */
const installed = async () => {
  const app = await made();
  const given = { clientId: app.clientId, redirectUrl: 'https://app.test/installed', scope: '', state: null };
  const asked = await uses.requestInstall('shop.test', given);
  const text = asked.ok ? (new URL(asked.value).searchParams.get('request') ?? '') : expect.fail(asked.message);
  const accepted = await uses.acceptInstall(text);
  return { ...app, installation: accepted.ok ? accepted.value.installation : expect.fail(accepted.message) };
};

describe('a platform app', () => {
  it('is found by its id and listed', async () => {
    const { app, clientId } = await made();
    expect(clientId).toMatch(CREDENTIAL_PATTERNS.clientId);
    expect(app).toMatchObject({ ...NEW, clientId });
    expect(await uses.getPlatformApp(app.id)).toEqual({ ok: true, value: app });
    expect(await uses.listPlatformApps(PAGE)).toMatchObject({ ok: true, value: { items: [app] } });
    expect(await uses.getPlatformApp('none')).toMatchObject(UNKNOWN);
    expect(await uses.listPlatformInstallations('none', PAGE)).toMatchObject(UNKNOWN);
    expect(await uses.updatePlatformApp('none', { name: 'x' })).toMatchObject(UNKNOWN);
  });
  it.each([
    [{ redirectUrls: ['https://app.test/', 'http://app.test/'] }, /^A redirect URL must be an https URL/],
    [{ eventUrl: 'https://private.test/' }, /^eventUrl must not be a private address[.]$/],
  ])('with a wrong address is neither made nor changed: %j', async (wrong, message) => {
    const refused = { code: 'invalid', message: expect.stringMatching(message) as string };
    expect(await uses.createPlatformApp({ ...NEW, ...wrong })).toMatchObject(refused);
    const { app } = await made();
    expect(await uses.updatePlatformApp(app.id, wrong)).toMatchObject(refused);
    expect(await uses.getPlatformApp(app.id)).toEqual({ ok: true, value: app });
  });
  it('has its scopes sorted, each once, also after a change', async () => {
    const { app } = await made();
    const scopes = ['write_orders', 'read_content', 'write_orders'] as const;
    expect(await uses.updatePlatformApp(app.id, { scopes })).toMatchObject({
      value: { scopes: ['read_content', 'write_orders'] },
    });
  });
  it('that gets an event address has those that were deactivated work again, and no others', async () => {
    const { app } = await made();
    const address = { storeId: 'store', subscriptionId: 'address' };
    const done: unknown[] = [];
    const changed = platformApps(
      {
        ...ports,
        platformApps: { ...ports.platformApps, deactivatedAddresses: async (id) => (id === app.id ? [address] : []) },
        subscriptionChanges: { ...ports.subscriptionChanges, reactivate: async (key) => (done.push(key), null) },
        deliveryQueue: { ...ports.deliveryQueue, wake: async (keys) => void done.push(keys) },
      },
      SETTINGS,
      judge,
    );
    await changed.updatePlatformApp(app.id, { name: 'Other' });
    await changed.updatePlatformApp(app.id, { eventUrl: null });
    expect(done).toEqual([]);
    await changed.updatePlatformApp(app.id, { eventUrl: 'https://app.test/events' });
    expect(done).toEqual([address, [address]]);
  });
  it('that asks for less loses the rest on every store', async () => {
    const { app, installation } = await installed();
    await uses.updatePlatformApp(app.id, { scopes: ['read_products'] });
    expect(await ports.installations.get('store', installation.id)).toMatchObject({ scopes: ['read_products'] });
  });
});

describe('the secrets of a platform app', () => {
  it('are rotated for all its stores at once, with the default overlap', async () => {
    const { app, clientId, clientSecret } = await made();
    const rotated = await uses.rotatePlatformClientSecret(app.id);
    const proof = { clientId, clientSecret: rotated.ok ? rotated.value.clientSecret : '' };
    expect(proof.clientSecret).toMatch(CREDENTIAL_PATTERNS.clientSecret);
    expect(rotated).toMatchObject({ value: { previousExpiresAt: new Date(ports.clock.now() + 60_000).toISOString() } });
    for (const secret of [clientSecret, proof.clientSecret])
      expect(await authenticateDeveloper(ports)({ clientId, clientSecret: secret }, uncounted)).toMatchObject({
        value: { id: app.id },
      });
    ports.clock.advance(60_000);
    expect(await authenticateDeveloper(ports)({ clientId, clientSecret }, uncounted)).toMatchObject({ reason: 'wrong_secret' });
    const signing = await uses.rotatePlatformSigningSecret(app.id, 0);
    expect(signing).toMatchObject({ value: { signingSecret: expect.stringMatching(/^whsec_/) as string } });
  });
  it('are not rotated for an unknown app, nor with a wrong overlap', async () => {
    const { app } = await made();
    expect(await uses.rotatePlatformClientSecret('none')).toMatchObject(UNKNOWN);
    expect(await uses.rotatePlatformSigningSecret('none')).toMatchObject(UNKNOWN);
    expect(await uses.rotatePlatformClientSecret(app.id, -1)).toMatchObject({ code: 'invalid' });
    expect(await uses.rotatePlatformSigningSecret(app.id, -1)).toMatchObject({ code: 'invalid' });
  });
  it('are not those of one of its installations', async () => {
    const { installation } = await installed();
    const refused = { code: 'conflict', message: expect.stringMatching(/^The secrets belong to the platform app/) as string };
    expect(await rotateClientSecret(ports, 60)(installation.id)).toMatchObject(refused);
    expect(await rotateSigningSecret(ports, 60)(installation.id)).toMatchObject(refused);
  });
  it('do not sign in the developer of a suspended app, or with those of another one', async () => {
    const [one, other] = [await made(), await made()];
    const reasonOf = async (proof: typeof one) =>
      (await authenticateDeveloper(ports)(proof, uncounted)) as { readonly reason?: string };
    expect(await reasonOf({ ...one, clientSecret: other.clientSecret })).toMatchObject({ reason: 'wrong_secret' });
    await uses.updatePlatformApp(one.app.id, { status: 'Suspended' });
    expect(await reasonOf(one)).toMatchObject({ reason: 'suspended' });
    const gone = { ...ports.platformApps, secrets: async () => null };
    expect(await authenticateDeveloper({ ...ports, platformApps: gone })(other, uncounted)).toMatchObject({
      reason: 'unknown_client',
    });
  });
});

describe('an installation of a platform app', () => {
  it('gets no scope without consent, and may lose some', async () => {
    const { installation } = await installed();
    const update = (scopes: Caller['scopes']) => updateInstallation(ports)(installation.id, { scopes });
    expect(await update(['write_products', 'read_orders'])).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^A platform app gets more scopes only/) as string,
    });
    expect(await update(['read_products'])).toMatchObject({ value: { scopes: ['read_products'] } });
  });
  it('that is gone when it is changed is not found', async () => {
    const { installation } = await installed();
    const installations = { ...ports.installations, update: async () => null };
    expect(await updateInstallation({ ...ports, installations })(installation.id, { name: 'x' })).toMatchObject({
      code: 'not_found',
      message: 'Installation not found.',
    });
  });
  it('that changes is reported to its event address', async () => {
    const { app, installation } = await installed();
    const told: unknown[] = [];
    const appLife = { record: async (_limit: number, id?: string) => (told.push(id), []) };
    await updateInstallation({ ...ports, appLife })(installation.id, { status: 'Suspended' });
    expect(told).toEqual([app.id]);
    await updateInstallation({ ...ports, appLife })('none', { status: 'Suspended' });
    expect(told).toHaveLength(1);
  });
  it('is watched with what happened in the last day', async () => {
    const { app } = await installed();
    const asked: unknown[] = [];
    const watch: MemoryWorld['platformApps']['watch'] = (...given) => (asked.push(given[2]), ports.platformApps.watch(...given));
    await platformApps({ ...ports, platformApps: { ...ports.platformApps, watch } }, SETTINGS, judge).watchInstallations(
      app,
      PAGE,
      'q',
    );
    expect(asked).toEqual([{ q: 'q', since: ports.clock.now() - 86_400_000 }]);
  });
});

it('an app of one store asks nowhere for more, and knows when its store is a sandbox', async () => {
  const { installation, app } = await installed();
  const own = async (installationId: string, changed: Partial<MemoryWorld> = {}) =>
    platformApps({ ...ports, ...changed }, SETTINGS, judge).getOwnInstallation({ storeId: 'store', installationId, scopes: [] });
  const store = await ports.stores.get('store');
  const stores = { ...ports.stores, get: async () => store && { ...store, sandboxAppId: app.id } };
  expect(await own(installation.id, { stores })).toMatchObject({ value: { isSandbox: true } });
  const installations = { ...ports.installations, get: async () => ({ ...installation, platformAppId: null }) };
  expect(await own(installation.id, { installations })).toMatchObject({
    value: { isSandbox: false, installPath: null, pendingScopes: [], optionalScopes: [] },
  });
  expect(await own('none')).toMatchObject({ code: 'not_found', message: 'Installation not found.' });
});
