import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { PlatformApp } from '../../src/domain/identity/platform-app.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import type { InstallRequests } from '../../src/domain/ports/identity/install-requests.ts';
import { beforeAll } from './hooks.ts';
import { anInstallationOf, aPlatformApp, aStore, type IdentityWorld } from './identity-worlds.ts';

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
    /** A request that nobody has decided. */
    const asked = (storeId = store.id) => ({ id: world.ids.next(), storeId, appId: app.id, isKept: false });
    /** A request that a process of version 0.1.0 has kept. */
    const kept = async () => {
      const given = { scopes: app.scopes, redirectUrl: 'https://app.test/installed', state: 'xyz' };
      const request = { ...asked(), ...given, expiresAt: Date.now() + 600_000, isKept: true };
      await world.keepInstallRequest(request);
      return request;
    };
    const consent = (scopes = app.scopes) => ({ installationId: world.ids.next(), scopes });
    const installed = async () => (await world.ports.installations.list(store.id, { skip: 0, take: 9 }))?.items;

    describe('get', () => {
      it('Returns a request that a process of version 0.1.0 has kept.', async () => {
        const { id, ...request } = await kept();
        expect(await requests.get(store.id, id)).toEqual({ ...request, id, expiresAt: expect.any(Number) as number });
        expect(await requests.get(store.id, world.ids.next())).toBeNull();
      });
      it('Returns null when it has expired.', async () => {
        const { id } = await kept();
        await world.pass(600);
        expect(await requests.get(store.id, id)).toBeNull();
      });
      it('Returns null when another store has it.', async () => {
        expect(await requests.get(other.id, (await kept()).id)).toBeNull();
      });
    });
    describe('isDecided', () => {
      it('Returns whether the request was decided, until it has expired.', async () => {
        const [accepted, refused, open] = [asked(), asked(), asked()];
        await requests.accept(accepted, consent());
        await requests.refuse(refused);
        await world.pass(599);
        for (const { id } of [accepted, refused]) expect(await requests.isDecided(store.id, id)).toBe(true);
        expect(await requests.isDecided(other.id, accepted.id)).toBe(false);
        expect(await requests.isDecided(store.id, open.id)).toBe(false);
        // Processes of version 0.1.0 cannot open it either.
        expect(await requests.get(store.id, accepted.id)).toBeNull();
      });
    });
    describe('accept', () => {
      it('Uses the request up.', async () => {
        const request = asked();
        expect(await requests.accept(request, consent())).not.toBeNull();
        expect(await requests.accept(request, consent())).toBeNull();
      });
      it('Installs its app on the store with the scopes.', async () => {
        const given = consent();
        const installation = await requests.accept(asked(), given);
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
        expect(await requests.accept(asked(), consent(['write_products']))).toEqual({
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
        // The subscription belongs to nobody: the merchant neither lists nor deletes it.
        expect(await world.ports.subscriptions.list({ storeId: store.id, installationId: null })).toEqual([]);
        const [{ id } = { id: '' }] = (await addresses()) ?? [];
        expect(await world.ports.subscriptions.delete({ storeId: store.id, installationId: null }, id)).toBe(false);
        expect(
          await world.ports.subscriptionChanges.edit({ storeId: store.id, subscriptionId: id }, { url: 'https://b.test' }),
        ).toBe('of_an_app');
      });
      it('Returns null and installs nothing when the request was used.', async () => {
        const used = asked();
        await requests.refuse(used);
        expect(await requests.accept(used, consent())).toBeNull();
        const expired = await kept();
        await world.pass(600);
        expect(await requests.accept(expired, consent())).toBeNull();
        expect(await installed()).toEqual([]);
      });
      it('Returns `not_asked`, installs nothing and leaves the request open when the app is suspended, or does not ask for one of the scopes.', async () => {
        const request = asked();
        expect(await requests.accept(request, consent(['write_products', 'read_content']))).toBe('not_asked');
        await world.ports.platformApps.update(app.id, { status: 'Suspended' });
        expect(await requests.accept(request, consent())).toBe('not_asked');
        expect(await installed()).toEqual([]);
        await world.ports.platformApps.update(app.id, { status: 'Active' });
        expect(await requests.accept(request, consent())).toMatchObject({ platformAppId: app.id });
      });
      it.each(['sealed', 'kept'])('Of two at the same time, one is used: %s', async (kind) => {
        const request = kind === 'kept' ? await kept() : asked();
        const both = await Promise.all([requests.accept(request, consent()), requests.accept(request, consent())]);
        expect(both.filter((made) => made !== null)).toHaveLength(1);
        await Promise.all([asked(), asked()].map((one) => requests.accept(one, consent())));
        expect(await installed()).toHaveLength(1);
      });
      it('Uses up a request that a process of version 0.1.0 has kept, for that process too.', async () => {
        const [accepted, refused] = [await kept(), await kept()];
        expect(await requests.accept(accepted, consent())).toMatchObject({ platformAppId: app.id });
        expect(await requests.refuse(refused)).toBe(true);
        for (const { id } of [accepted, refused]) expect(await requests.get(store.id, id)).toBeNull();
        expect(await requests.accept(accepted, consent())).toBeNull();
      });
    });
    describe('refuse', () => {
      it('Uses the request up.', async () => {
        const request = asked();
        expect(await requests.refuse(request)).toBe(true);
        expect([await requests.isDecided(store.id, request.id), await installed()]).toEqual([true, []]);
      });
      it('Returns false when it was used.', async () => {
        const request = asked();
        await requests.accept(request, consent());
        expect([await requests.refuse(request), await requests.refuse(request)]).toEqual([false, false]);
      });
    });
    describe('purge', () => {
      it('Deletes at most `limit` requests that have expired, and returns how many.', async () => {
        await world.pass(600);
        while ((await requests.purge(1_000)) > 0);
        for (let made = 0; made < 3; made += 1) await requests.refuse(asked());
        await world.pass(600);
        const open = await kept();
        expect([await requests.purge(2), await requests.purge(2), await requests.purge(2)]).toEqual([2, 1, 0]);
        expect(await requests.get(store.id, open.id)).not.toBeNull();
      });
    });
  });
};
