import { afterAll, describe, expect, it } from 'vitest';

import type { Place } from '../../src/domain/place.ts';
import type { StoreFilter } from '../../src/domain/ports/identity/store-repository.ts';
import { MAX_ERASED_SANDBOXES, MAX_SANDBOXES } from '../../src/domain/identity/sandbox.ts';
import { beforeAll } from './hooks.ts';
import { aPlatformApp, aStore, anInstallation, hashOf, sessionOf, type IdentityWorld } from './identity-worlds.ts';
import { aStoppable } from './stopping.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

export const storeRepositoryContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`StoreRepository on ${name}`, () => {
    let world: IdentityWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    /** A store that is being erased. */
    const erasing = async (): Promise<string> => {
      const { id, domain } = await aStore(world);
      await world.ports.storeErasure.accept(id, domain);
      return id;
    };

    describe('list', () => {
      it('Returns a page of all stores by creation, then id, without those that are being erased.', async () => {
        const made = [];
        for (let n = 0; n < 3; n += 1) made.push((await aStore(world)).id);
        await erasing();
        const { stores } = world.ports;
        expect(await stores.list({ skip: 1, take: 1 })).toMatchObject({ items: [{ id: made[1] }], skip: 1, take: 1, total: 3 });
        expect((await stores.list({ skip: 0, take: 9 })).items.map(({ id }) => id)).toEqual(made);
        expect(await stores.list({ skip: 9, take: 5 })).toEqual({ items: [], skip: 9, take: 5, total: 3, next: null });
      });
      it('Begins behind the place, if one is given.', async () => {
        const { stores } = world.ports;
        const whole = (await stores.list({ skip: 0, take: 250 })).items;
        const seen = [];
        for (let after: Place | null | undefined; after !== null;) {
          const { items, next } = await stores.list({ skip: 0, take: 2, after: after ?? undefined });
          seen.push(...items);
          after = next;
        }
        expect(seen).toEqual(whole);
        const { next } = await stores.list({ skip: 0, take: 1 });
        expect((await stores.list({ skip: 1, take: 1, after: next ?? undefined })).items).toEqual([whole[2]]);
      });
      it('Counts all that match, also before the place.', async () => {
        const { total, next } = await world.ports.stores.list({ skip: 0, take: 1 });
        expect((await world.ports.stores.list({ skip: 0, take: 1, after: next ?? undefined })).total).toBe(total);
      });
      describe('Returns only stores that match every filter.', () => {
        const found = async (filter: StoreFilter) =>
          (await world.ports.stores.list({ skip: 0, take: 250 }, filter)).items.map(({ id }) => id);
        it('a text in the name or the domain, in any case, the id or the beginning of the id', async () => {
          const { stores } = world.ports;
          const one = await aStore(world, 'under_score.test');
          await stores.update(one.id, { name: 'Bücher 100%' });
          const other = await aStore(world, 'underscore.test');
          expect(await found({ q: 'UNDER_SCORE' })).toEqual([one.id]);
          expect(await found({ q: 'BÜCHER' })).toEqual([one.id]);
          expect(await found({ q: '0%' })).toEqual([one.id]);
          expect(await found({ q: one.id.slice(0, 33).toUpperCase() })).toContain(one.id);
          expect(await found({ q: one.id })).toEqual([one.id]);
          expect(await found({ q: one.id.slice(0, 8) })).toContain(one.id);
          expect(await found({ q: one.id.slice(1) })).toEqual([]);
          expect(await found({ q: 'nothing like it' })).toEqual([]);
          expect((await stores.list({ skip: 0, take: 1 }, { q: 'underscore.test' })).total).toBe(1);
          expect(await found({ q: 'underscore.test' })).toEqual([other.id]);
        });
        it('the status', async () => {
          const { id } = await aStore(world, 'closed.test');
          await world.ports.stores.update(id, { status: 'Inactive' });
          expect(await found({ status: 'Inactive', q: 'closed.test' })).toEqual([id]);
          expect(await found({ status: 'Active', q: 'closed.test' })).toEqual([]);
        });
        it('one of these ids', async () => {
          const [one, other] = [await aStore(world), await aStore(world)];
          await aStore(world);
          expect(await found({ ids: [other.id, world.ids.next(), one.id] })).toEqual([one.id, other.id]);
          expect(await found({ ids: [] })).toEqual([]);
        });
      });
    });
    describe('create', () => {
      it('Creates an active store.', async () => {
        const id = world.ids.next();
        const created = await world.ports.stores.create({ id, domain: 'a.test', name: 'A', currency: 'EUR' });
        expect(created).toEqual({
          id,
          domain: 'a.test',
          name: 'A',
          currency: 'EUR',
          status: 'Active',
          sandboxAppId: null,
          createdAt: TIME,
          updatedAt: null,
        });
        expect(await world.ports.stores.get(id)).toEqual(created);
      });
      it('Returns `domain_taken` and writes nothing when another store has the domain.', async () => {
        await aStore(world, 'taken.test');
        const id = world.ids.next();
        expect(await world.ports.stores.create({ id, domain: 'taken.test', name: 'B', currency: 'EUR' })).toBe('domain_taken');
        expect(await world.ports.stores.get(id)).toBeNull();
      });
    });
    describe('createSandbox', () => {
      const given = () => ({ id: world.ids.next(), domain: `${world.ids.next()}.test`, name: 'Try', currency: 'EUR' });
      const made = (appId: string) => world.ports.stores.createSandbox(given(), appId);
      const ERASED = Array.from({ length: MAX_ERASED_SANDBOXES }, (_, index) => index);
      it('Creates an active store that is a sandbox of the platform app.', async () => {
        const { id: appId } = await aPlatformApp(world);
        const store = given();
        const created = await world.ports.stores.createSandbox(store, appId);
        expect(created).toEqual({ ...store, status: 'Active', sandboxAppId: appId, createdAt: TIME, updatedAt: null });
        expect(await world.ports.stores.get(store.id)).toEqual(created);
      });
      it('Erases the sandbox store of the app that has the domain, in the same transaction.', async () => {
        const { id: appId } = await aPlatformApp(world);
        const { domain } = given();
        const all = await Promise.all([1, 2, 3].map(() => world.ports.stores.createSandbox({ ...given(), domain }, appId)));
        expect(all).toMatchObject([{ domain }, { domain }, { domain }]);
        const { stores, erasing } = await world.ports.stores.sandboxes(appId);
        expect([stores.length, erasing]).toEqual([1, 2]);
        expect(all).toContainEqual(stores[0]);
      });
      it('Returns `domain_taken` and writes nothing when any other store has the domain.', async () => {
        const [{ id: appId }, { id: other }] = [await aPlatformApp(world), await aPlatformApp(world)];
        const theirs = given();
        await world.ports.stores.createSandbox(theirs, other);
        for (const { domain } of [await aStore(world), theirs])
          expect(await world.ports.stores.createSandbox({ ...given(), domain }, appId)).toBe('domain_taken');
        expect((await world.ports.stores.sandboxes(appId)).stores).toEqual([]);
        expect((await world.ports.stores.sandboxes(other)).stores).toHaveLength(1);
      });
      it('Returns `too_many` and writes nothing when the app has 5 other sandbox stores.', async () => {
        const { id: appId } = await aPlatformApp(world);
        for (let n = 0; n < MAX_SANDBOXES; n += 1) expect(await made(appId)).toMatchObject({ sandboxAppId: appId });
        expect(await made(appId)).toBe('too_many');
        const { stores } = await world.ports.stores.sandboxes(appId);
        expect(stores).toHaveLength(MAX_SANDBOXES);
        const { domain = '' } = stores[0] ?? {};
        expect(await world.ports.stores.createSandbox({ ...given(), domain }, appId)).toMatchObject({ domain });
      });
      it('Returns `too_many_erased` and writes nothing when 20 of the app are being erased.', async () => {
        const { id: appId } = await aPlatformApp(world);
        const { domain } = given();
        const again = () => world.ports.stores.createSandbox({ ...given(), domain }, appId);
        await again();
        for (const _ of ERASED) expect(await again()).toMatchObject({ domain });
        const before = await world.ports.stores.sandboxes(appId);
        expect(await again()).toBe('too_many_erased');
        expect(await world.ports.stores.sandboxes(appId)).toEqual(before);
      });
      it('Counts those that are made at the same time.', async () => {
        const { id: appId } = await aPlatformApp(world);
        const all = await Promise.all(Array.from({ length: MAX_SANDBOXES + 2 }, () => made(appId)));
        expect(all.filter((one) => one === 'too_many')).toHaveLength(2);
      });
    });
    describe('sandboxes', () => {
      it('Returns the sandbox stores of the platform app by creation, then id, and how many others of it are being erased.', async () => {
        const { stores, storeErasure } = world.ports;
        const [{ id: appId }, { id: other }] = [await aPlatformApp(world), await aPlatformApp(world)];
        const own = [];
        for (const of of [appId, other, appId, appId]) {
          const store = { id: world.ids.next(), domain: `${world.ids.next()}.test`, name: 'Try', currency: 'EUR' };
          const made = await stores.createSandbox(store, of);
          if (typeof made === 'string') throw new Error(made);
          if (of === appId) own.push(made);
        }
        const [first, second, third] = own;
        expect(await stores.sandboxes(appId)).toEqual({ stores: [first, second, third], erasing: 0 });
        await storeErasure.accept(second?.id ?? '', second?.domain ?? '');
        expect(await stores.sandboxes(appId)).toEqual({ stores: [first, third], erasing: 1 });
      });
    });
    describe('get', () => {
      it('Returns the store.', async () => {
        const store = await aStore(world);
        expect(await world.ports.stores.get(store.id)).toEqual(store);
      });
      it('Returns null when the store does not exist, or is being erased.', async () => {
        expect(await world.ports.stores.get(world.ids.next())).toBeNull();
        expect(await world.ports.stores.get(await erasing())).toBeNull();
      });
    });

    describe('atDomain', () => {
      describe('Returns the store that has the domain.', () => {
        it('since it was created', async () => {
          const store = await aStore(world);
          expect(await world.ports.stores.atDomain(store.domain)).toEqual(store);
        });
        it('since it was changed, and at its last domain the store that got it after that', async () => {
          const [moved, next] = [await aStore(world), await aStore(world)];
          const domain = `moved-${moved.domain}`;
          await world.ports.stores.update(moved.id, { domain });
          expect(await world.ports.stores.atDomain(moved.domain)).toBeNull();
          expect(await world.ports.stores.atDomain(domain)).toMatchObject({ id: moved.id, domain });
          expect(await world.ports.stores.update(next.id, { domain: moved.domain })).toMatchObject({ domain: moved.domain });
          expect(await world.ports.stores.atDomain(moved.domain)).toMatchObject({ id: next.id });
        });
      });
      it('Returns null when no store has it.', async () => {
        expect(await world.ports.stores.atDomain('nobody.test')).toBeNull();
      });
    });
    describe('update', () => {
      it('Returns null when the store does not exist, or is being erased.', async () => {
        expect(await world.ports.stores.update(world.ids.next(), { name: 'x' })).toBeNull();
        expect(await world.ports.stores.update(await erasing(), { name: 'x' })).toBeNull();
      });
      it('Changes the given fields and sets updatedAt.', async () => {
        const store = await aStore(world);
        const updated = await world.ports.stores.update(store.id, { name: 'Renamed' });
        expect(updated).toEqual({ ...store, name: 'Renamed', updatedAt: TIME });
        expect(await world.ports.stores.get(store.id)).toEqual(updated);
      });
      it('Returns `domain_taken` and changes nothing when another store has the domain.', async () => {
        const [one, other] = [await aStore(world), await aStore(world)];
        expect(await world.ports.stores.update(one.id, { domain: other.domain, name: 'x' })).toBe('domain_taken');
        expect(await world.ports.stores.get(one.id)).toEqual(one);
        expect(await world.ports.stores.update(one.id, { domain: one.domain })).toMatchObject({ domain: one.domain });
      });
      it('An inactive store stops attempts in flight and holds its queued deliveries as they are.', async () => {
        const store = await aStore(world);
        const { statuses, whileLeased, subscription } = await aStoppable(world, await anInstallation(world, store.id));
        await whileLeased(() => world.ports.stores.update(store.id, { status: 'Inactive' }));
        expect(await statuses()).toEqual({ 'order.paid': 'Waiting', 'product.updated': 'Waiting' });
        await world.ports.stores.update(store.id, { status: 'Active' });
        expect((await world.ports.deliveries.due(subscription, 10, [])).map(({ attempts }) => attempts)).toEqual([0, 0]);
      });
      it('An inactive store loses all of its tokens and console sessions for good.', async () => {
        const [store, other] = [await aStore(world), await aStore(world)];
        const { admission, appConsoleSessions, tokens, stores } = world.ports;
        const [mine, theirs] = [(await anInstallation(world, store.id)).id, (await anInstallation(world, other.id)).id];
        await tokens.issue(store.id, mine, hashOf('mine'));
        await tokens.issue(other.id, theirs, hashOf('theirs'));
        await appConsoleSessions.start(store.id, mine, hashOf('mine'));
        await appConsoleSessions.start(other.id, theirs, hashOf('theirs'));
        await stores.update(store.id, { status: 'Inactive' });
        expect(await admission.authenticate(hashOf('mine'), store.domain)).toEqual({ ok: false, reason: 'store_inactive' });
        await stores.update(store.id, { status: 'Active' });
        expect(await admission.authenticate(hashOf('mine'), store.domain)).toEqual({ ok: false, reason: 'revoked' });
        expect(await admission.authenticate(hashOf('theirs'), other.domain)).toMatchObject({ ok: true });
        expect(await sessionOf(world, hashOf('mine'), store.domain)).toBe('revoked');
        expect(await sessionOf(world, hashOf('theirs'), other.domain)).toBe('ok');
      });
    });
  });
};
