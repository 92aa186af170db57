import { describe, expect, it } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import { ERASURE_SETTLES_SECONDS, type Store } from '../../src/domain/identity/store.ts';
import { admissionOf, anInstallation, aStore, hashOf, sessionOf, useTenancy, type IdentityWorld } from './identity-worlds.ts';
import { aStoppable } from './stopping.ts';

export const storeErasureContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`StoreErasure on ${name}`, () => {
    let world: IdentityWorld;
    let store: Store;
    let installation: Installation;
    useTenancy(open, (tenancy) => {
      ({ world, store, installation } = tenancy);
    });
    const erasure = () => world.ports.storeErasure;
    const accept = () => erasure().accept(store.id, store.domain);
    const sha256 = 'ab'.repeat(32);
    const aFile = async (): Promise<string> => {
      const key = `${store.id}/${sha256}.png`;
      const measures = { contentType: 'image/png', sizeBytes: 1, width: 1, height: 1 } as const;
      await world.ports.mediaFiles.announce({ storeId: store.id, key, ...measures });
      return key;
    };
    /** The rows of all stores that are being erased. */
    const eraseAll = async (): Promise<number> => {
      let total = 0;
      for (let rows = -1; rows !== 0; total += rows) rows = await erasure().eraseRows(3);
      return total;
    };

    describe('accept', () => {
      it('Takes the store out of use, to be erased.', async () => {
        expect(await accept()).toMatchObject({ storeId: store.id, domain: store.domain, erasedRows: 0 });
        expect(await world.ports.stores.get(store.id)).toBeNull();
        expect(await world.ports.stores.update(store.id, { status: 'Active' })).toBeNull();
        const { total } = await world.ports.stores.list({ skip: 0, take: 0 });
        await aStore(world);
        expect((await world.ports.stores.list({ skip: 0, take: 0 })).total).toBe(total + 1);
      });
      it('Its tokens and console sessions end, its apps are uninstalled and its subscriptions inactive.', async () => {
        const token = hashOf(`${store.id} token`);
        await world.ports.tokens.issue(store.id, installation.id, token);
        const { subscription } = await aStoppable(world, installation);
        await accept();
        expect(await admissionOf(world, token, store.domain)).not.toBe('ok');
        expect(await sessionOf(world, token, store.domain)).not.toBe('ok');
        expect(await world.ports.installations.get(store.id, installation.id)).toMatchObject({ status: 'Uninstalled' });
        expect(await world.ports.deliveries.target(subscription)).toBeNull();
      });
      it('Stops attempts in flight.', async () => {
        const { whileLeased } = await aStoppable(world, installation);
        await whileLeased(accept);
      });
      it('Frees the domain of the store for another one.', async () => {
        await accept();
        expect(await aStore(world, store.domain)).toMatchObject({ domain: store.domain, status: 'Active' });
      });
      it('Returns `other_domain` and changes nothing when this is not the domain of the store.', async () => {
        expect(await erasure().accept(store.id, 'other.test')).toBe('other_domain');
        expect(await world.ports.stores.get(store.id)).toEqual(store);
        expect(await erasure().open()).not.toContain(store.id);
      });
      it('Returns the same erasure when it is repeated.', async () => {
        const accepted = await accept();
        expect(await accept()).toEqual(accepted);
        expect(await erasure().accept(store.id, 'other.test')).toBe('other_domain');
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await erasure().accept(world.ids.next(), 'other.test')).toBeNull();
      });
    });

    describe('open', () => {
      it('Returns the stores that are being erased.', async () => {
        await accept();
        expect(await erasure().open()).toContain(store.id);
      });
    });

    describe('eraseRows', () => {
      it('Erases at most `limit` rows of a store that is being erased, and returns how many.', async () => {
        await eraseAll();
        await aStoppable(world, installation);
        await accept();
        expect(await erasure().eraseRows(2)).toBe(2);
        expect(await accept()).toMatchObject({ erasedRows: 2 });
        expect(await eraseAll()).toBeGreaterThan(0);
        expect(await erasure().eraseRows(2)).toBe(0);
      });
      it('Erases the store itself when nothing else of it remains, a minute after its erasure was accepted.', async () => {
        await accept();
        await eraseAll();
        expect(await erasure().open()).toContain(store.id);
        expect(await world.ports.installations.get(store.id, installation.id)).not.toBeNull();
        await world.pass(ERASURE_SETTLES_SECONDS);
        const key = await aFile();
        await eraseAll();
        expect(await erasure().open()).toContain(store.id);
        await erasure().forget([{ storeId: store.id, key }]);
        await eraseAll();
        expect(await erasure().open()).not.toContain(store.id);
        expect(await world.ports.installations.get(store.id, installation.id)).toBeNull();
        expect(await accept()).toBeNull();
      });
      it('Leaves the rows of other stores as they are.', async () => {
        const other = await aStore(world);
        const theirs = await anInstallation(world, other.id);
        const { statuses } = await aStoppable(world, theirs);
        await aStoppable(world, installation);
        const before = [await statuses(), await world.ports.installations.get(theirs.storeId, theirs.id)];
        await accept();
        await world.pass(ERASURE_SETTLES_SECONDS);
        await eraseAll();
        expect(await erasure().open()).not.toContain(store.id);
        expect([await statuses(), await world.ports.installations.get(theirs.storeId, theirs.id)]).toEqual(before);
        expect(await world.ports.stores.get(other.id)).toEqual(other);
      });
    });

    describe('files', () => {
      it('Returns at most `limit` media files of stores that are being erased, a minute after it was accepted.', async () => {
        const key = await aFile();
        const own = async () => (await erasure().files(100)).filter((file) => file.storeId === store.id);
        expect(await own()).toEqual([]);
        await accept();
        expect(await own()).toEqual([]);
        await world.pass(ERASURE_SETTLES_SECONDS);
        expect(await own()).toEqual([{ storeId: store.id, key }]);
        expect(await erasure().files(0)).toEqual([]);
      });
    });

    describe('forget', () => {
      it('Forgets files that are removed from the storage.', async () => {
        const key = await aFile();
        await accept();
        await world.pass(ERASURE_SETTLES_SECONDS);
        await erasure().forget([{ storeId: store.id, key }]);
        expect(await erasure().files(100)).not.toContainEqual({ storeId: store.id, key });
      });
    });
  });
};
