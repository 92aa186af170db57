import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { PlatformApp } from '../../src/domain/identity/platform-app.ts';
import { MAX_INSTALL_REQUESTS } from '../../src/domain/identity/install-request.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import type { InstallRequests } from '../../src/domain/ports/identity/install-requests.ts';
import { anInstallationOf, anInstallRequest, aPlatformApp, aStore, type IdentityWorld } from './identity-worlds.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

export const installRequestsContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`InstallRequests on ${name}`, () => {
    let world: IdentityWorld;
    let requests: InstallRequests;
    let app: PlatformApp;
    let store: Store;
    let other: Store;
    beforeAll(async () => {
      world = await open();
      requests = world.ports.installRequests;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      app = await aPlatformApp(world);
      [store, other] = [await aStore(world), await aStore(world)];
    });
    const wanted = () => ({
      id: world.ids.next(),
      storeId: store.id,
      appId: app.id,
      scopes: app.scopes,
      redirectUrl: 'https://app.test/installed',
      state: 'xyz',
    });
    const consent = (scopes = app.scopes) => ({ installationId: world.ids.next(), scopes });
    const installed = async () => (await world.ports.installations.list(store.id, { skip: 0, take: 9 }))?.items;

    describe('create', () => {
      it('Keeps the request for ten minutes, and returns when it expires, in ISO 8601.', async () => {
        const request = wanted();
        const expiresAt = await requests.create(request);
        expect(expiresAt).toEqual(TIME);
        expect(await requests.get(store.id, request.id)).toEqual({ ...request, expiresAt });
        await world.pass(599);
        expect(await requests.get(store.id, request.id)).not.toBeNull();
        await world.pass(1);
        expect(await requests.get(store.id, request.id)).toBeNull();
      });
      it('A store that has 1,000 of the app loses the oldest of these.', async () => {
        const [elsewhere, ofAnotherApp] = [wanted(), wanted()];
        await requests.create({ ...elsewhere, storeId: other.id });
        await requests.create({ ...ofAnotherApp, appId: (await aPlatformApp(world)).id });
        const made = Array.from({ length: MAX_INSTALL_REQUESTS }, wanted);
        for (const request of made) await requests.create(request);
        const [oldest = wanted(), next = wanted()] = made;
        expect(await requests.get(store.id, oldest.id)).not.toBeNull();
        const newest = wanted();
        await requests.create(newest);
        expect(await requests.get(store.id, oldest.id)).toBeNull();
        for (const { id } of [next, newest, ofAnotherApp]) expect(await requests.get(store.id, id)).not.toBeNull();
        expect(await requests.get(other.id, elsewhere.id)).not.toBeNull();
      });
    });
    describe('get', () => {
      it('Returns the request.', async () => {
        const request = wanted();
        await requests.create({ ...request, state: null });
        expect(await requests.get(store.id, request.id)).toMatchObject({ ...request, state: null });
      });
      it('Returns null when it has expired.', async () => {
        const id = await anInstallRequest(world, store.id, app);
        await world.pass(600);
        expect(await requests.get(store.id, id)).toBeNull();
      });
      it('Returns null when another store has it.', async () => {
        expect(await requests.get(other.id, await anInstallRequest(world, store.id, app))).toBeNull();
      });
    });
    describe('accept', () => {
      it('Uses the request up.', async () => {
        const id = await anInstallRequest(world, store.id, app);
        expect(await requests.accept(store.id, id, consent())).not.toBeNull();
        expect(await requests.get(store.id, id)).toBeNull();
      });
      it('Installs its app on the store with the scopes.', async () => {
        const id = await anInstallRequest(world, store.id, app);
        const given = consent();
        const installation = await requests.accept(store.id, id, given);
        expect(installation).toEqual({
          id: given.installationId,
          storeId: store.id,
          name: app.name,
          clientId: app.clientId,
          platformAppId: app.id,
          scopes: app.scopes,
          status: 'Installed',
          createdAt: TIME,
          updatedAt: null,
          uninstalledAt: null,
          previousClientSecretExpiresAt: null,
          previousSigningSecretExpiresAt: null,
        });
        expect(await installed()).toEqual([installation]);
      });
      it('Where the app is installed, adds the scopes to those of the installation, whose status stays.', async () => {
        const first = await anInstallationOf(world, store.id, app, ['read_orders']);
        await world.ports.installations.update(store.id, first.id, { status: 'Suspended' });
        const id = await anInstallRequest(world, store.id, app);
        expect(await requests.accept(store.id, id, consent(['write_products']))).toEqual({
          ...first,
          scopes: ['read_orders', 'write_products'],
          status: 'Suspended',
          updatedAt: TIME,
        });
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, first.id));
        const again = await anInstallationOf(world, store.id, app);
        expect([again.id === first.id, again.scopes]).toEqual([false, app.scopes]);
      });
      it('Adds the event address of the app, if it has one.', async () => {
        const addresses = async () => (await world.ports.subscriptions.watch(store.id, { skip: 0, take: 9 }))?.items;
        await anInstallationOf(world, store.id, app);
        expect(await addresses()).toEqual([]);
        const telling = await aPlatformApp(world, { eventUrl: 'https://app.test/events' });
        for (const scopes of [['read_orders'], ['write_products']] as const)
          await anInstallationOf(world, store.id, telling, scopes);
        expect(await addresses()).toMatchObject([
          { url: 'https://app.test/events', platformAppId: telling.id, installationId: null, isDeliverable: true },
        ]);
        // It is nobody's: the merchant neither lists nor deletes it.
        expect(await world.ports.subscriptions.list({ storeId: store.id, installationId: null })).toEqual([]);
        const [{ id } = { id: '' }] = (await addresses()) ?? [];
        expect(await world.ports.subscriptions.delete({ storeId: store.id, installationId: null }, id)).toBe(false);
        expect(
          await world.ports.subscriptionChanges.edit({ storeId: store.id, subscriptionId: id }, { url: 'https://b.test' }),
        ).toBe('of_an_app');
      });
      it('Returns null and installs nothing when the request was used, has expired or is of another store.', async () => {
        const used = await anInstallRequest(world, store.id, app);
        await requests.refuse(store.id, used);
        expect(await requests.accept(store.id, used, consent())).toBeNull();
        const theirs = await anInstallRequest(world, other.id, app);
        expect(await requests.accept(store.id, theirs, consent())).toBeNull();
        expect(await requests.get(other.id, theirs)).not.toBeNull();
        const expired = await anInstallRequest(world, store.id, app);
        await world.pass(600);
        expect(await requests.accept(store.id, expired, consent())).toBeNull();
        expect(await installed()).toEqual([]);
      });
      it('Returns `not_asked`, installs nothing and leaves the request open when the app is suspended, or does not ask for one of the scopes.', async () => {
        const id = await anInstallRequest(world, store.id, app);
        expect(await requests.accept(store.id, id, consent(['write_products', 'read_content']))).toBe('not_asked');
        await world.ports.platformApps.update(app.id, { status: 'Suspended' });
        expect(await requests.accept(store.id, id, consent())).toBe('not_asked');
        expect(await installed()).toEqual([]);
        await world.ports.platformApps.update(app.id, { status: 'Active' });
        expect(await requests.accept(store.id, id, consent())).toMatchObject({ platformAppId: app.id });
      });
      it('Of two at the same time, one is used.', async () => {
        const id = await anInstallRequest(world, store.id, app);
        const both = await Promise.all([requests.accept(store.id, id, consent()), requests.accept(store.id, id, consent())]);
        expect(both.filter((made) => made !== null)).toHaveLength(1);
        const ids = [await anInstallRequest(world, store.id, app), await anInstallRequest(world, store.id, app)];
        await Promise.all(ids.map((one) => requests.accept(store.id, one, consent())));
        expect(await installed()).toHaveLength(1);
      });
    });
    describe('refuse', () => {
      it('Uses the request up.', async () => {
        const id = await anInstallRequest(world, store.id, app);
        expect(await requests.refuse(store.id, id)).toBe(true);
        expect([await requests.get(store.id, id), await installed()]).toEqual([null, []]);
      });
      it('Returns false when it was used, has expired or is of another store.', async () => {
        const id = await anInstallRequest(world, store.id, app);
        expect(await requests.refuse(other.id, id)).toBe(false);
        await requests.refuse(store.id, id);
        expect(await requests.refuse(store.id, id)).toBe(false);
        const expired = await anInstallRequest(world, store.id, app);
        await world.pass(600);
        expect(await requests.refuse(store.id, expired)).toBe(false);
      });
    });
    describe('purge', () => {
      it('Deletes at most `limit` requests that have expired, and returns how many.', async () => {
        await world.pass(600);
        while ((await requests.purge(1_000)) > 0);
        for (let made = 0; made < 3; made += 1) await anInstallRequest(world, store.id, app);
        await world.pass(600);
        const open = await anInstallRequest(world, store.id, app);
        expect([await requests.purge(2), await requests.purge(2), await requests.purge(2)]).toEqual([2, 1, 0]);
        expect(await requests.get(store.id, open)).not.toBeNull();
      });
    });
  });
};
