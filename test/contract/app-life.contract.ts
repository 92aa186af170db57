import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { PlatformApp } from '../../src/domain/identity/platform-app.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import type { AppLife } from '../../src/domain/ports/webhooks/app-life.ts';
import { beforeAll } from './hooks.ts';
import { anInstallation, anInstallationOf, aPlatformApp, aStore, type IdentityWorld } from './identity-worlds.ts';

export const appLifeContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`AppLife on ${name}`, () => {
    let world: IdentityWorld;
    let life: AppLife;
    let app: PlatformApp;
    let store: Store;
    beforeAll(async () => {
      world = await open();
      life = world.ports.appLife;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      app = await aPlatformApp(world, { eventUrl: 'https://app.test/events' });
      store = await aStore(world);
    });
    const address = async (of: Store) => {
      const watched = await world.ports.subscriptions.watch(of.id, { skip: 0, take: 50 });
      return watched?.items.find(({ platformAppId }) => platformAppId === app.id)?.id ?? '';
    };
    /** Returns the events for the event address of the app on the store, by type. */
    const sent = async (of: Store): Promise<Record<string, unknown>[]> => {
      await world.ports.deliveries.fanOut(of.id, 50);
      const due = await world.ports.deliveries.due({ storeId: of.id, subscriptionId: await address(of) }, 50, []);
      const bodies = due.map(({ body }) => JSON.parse(body) as { type: string; data: object });
      return bodies.map(({ type, data }) => ({ type, ...data })).sort((a, b) => a.type.localeCompare(b.type));
    };
    const types = async (of: Store) => (await sent(of)).map(({ type }) => type);

    describe('record', () => {
      it('Records the events of what installations of platform apps have become since the last time, in at most `limit` stores.', async () => {
        const { id } = await anInstallationOf(world, store.id, app, ['read_orders', 'write_products']);
        await life.record(9);
        const { name: called } = app;
        const whole = { id, name: called, domain: store.domain, isSandbox: false, scopes: ['read_orders', 'write_products'] };
        expect(await sent(store)).toEqual([{ type: 'app.installed', ...whole }]);
        await world.ports.installations.update(store.id, id, { status: 'Suspended', scopes: ['write_products'] });
        await life.record(9);
        await world.ports.installations.update(store.id, id, { status: 'Installed' });
        await life.record(9);
        await world.ports.platformApps.update(app.id, { status: 'Suspended' });
        await life.record(9);
        expect(await types(store)).toEqual([
          'app.installed',
          'app.resumed',
          'app.scopes_changed',
          'app.suspended',
          'app.suspended',
        ]);
        await world.ports.platformApps.update(app.id, { status: 'Active' });
        await life.record(9);
        const stores = [await aStore(world), await aStore(world)];
        for (const one of stores) await anInstallationOf(world, one.id, app);
        const [first, second] = [await life.record(1), await life.record(1)];
        expect([...first, ...second].sort()).toEqual(stores.map((one) => one.id).sort());
      });
      it('Returns the stores that have some.', async () => {
        await life.record(99);
        await anInstallationOf(world, store.id, app);
        expect(await life.record(99)).toEqual([store.id]);
        expect(await life.record(99)).toEqual([]);
        await anInstallation(world, store.id);
        expect(await life.record(99)).toEqual([]);
      });
      it('With the id of an app, looks at its installations alone.', async () => {
        await anInstallationOf(world, store.id, app);
        expect(await life.record(9, (await aPlatformApp(world)).id)).toEqual([]);
        expect(await life.record(9, app.id)).toEqual([store.id]);
      });
      it('Records each change once, also when two do it at the same time.', async () => {
        await anInstallationOf(world, store.id, app);
        await Promise.all([life.record(9), life.record(9), life.record(9, app.id)]);
        expect(await types(store)).toEqual(['app.installed']);
      });
      it('Leaves out installations that have ended.', async () => {
        await life.record(99);
        const { id } = await anInstallationOf(world, store.id, app);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, id));
        expect(await life.record(99)).toEqual([]);
      });
    });
  });
};
