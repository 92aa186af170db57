import { describe, expect, it } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import { aMove, aStore, hashOf, sessionOf, useTenancy, type IdentityWorld } from './identity-worlds.ts';

const MINUTE = 60;

export const appConsoleSessionsContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`AppConsoleSessions on ${name}`, () => {
    let world: IdentityWorld;
    let store: Store;
    let installation: Installation;
    let hash: string;
    let code: string;
    useTenancy(open, (tenancy) => {
      ({ world, store, installation } = tenancy);
      [hash, code] = ['session', 'code'].map((text) => hashOf(`${text} ${installation.id.slice(-12)}`)) as [string, string];
    });
    const state = (of = hash) => sessionOf(world, of, store.domain);
    const suspend = () => world.ports.installations.update(store.id, installation.id, { status: 'Suspended' });

    describe('start', () => {
      it('Starts a session of the installation.', async () => {
        expect(await world.ports.appConsoleSessions.start(store.id, installation.id, hash)).toBe(true);
        expect(await world.ports.admission.authenticateSession(hash, store.domain)).toMatchObject({
          caller: { installationId: installation.id },
        });
      });
      it('Returns false and starts nothing when the installation may not call.', async () => {
        const { appConsoleSessions, stores } = world.ports;
        expect(await appConsoleSessions.start(store.id, world.ids.next(), hash)).toBe(false);
        expect(await appConsoleSessions.start((await aStore(world)).id, installation.id, hash)).toBe(false);
        await suspend();
        expect(await appConsoleSessions.start(store.id, installation.id, hash)).toBe(false);
        await world.ports.installations.update(store.id, installation.id, { status: 'Installed' });
        await stores.update(store.id, { status: 'Inactive' });
        expect(await appConsoleSessions.start(store.id, installation.id, hash)).toBe(false);
        await stores.update(store.id, { status: 'Active' });
        expect(await state()).toBe('unknown_token');
      });
    });

    describe('createCode', () => {
      it('Creates a code for 10 minutes, and returns when it expires, in ISO 8601.', async () => {
        const { appConsoleSessions } = world.ports;
        expect(await appConsoleSessions.createCode(store.id, installation.id, code)).toMatch(
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
        );
        await world.pass(9 * MINUTE);
        expect(await appConsoleSessions.exchange(code, hash, store.domain)).toBe(true);
      });
      it('Returns null and creates nothing when the installation may not call.', async () => {
        const { appConsoleSessions, installations } = world.ports;
        expect(await appConsoleSessions.createCode(store.id, world.ids.next(), code)).toBeNull();
        expect(await appConsoleSessions.createCode((await aStore(world)).id, installation.id, code)).toBeNull();
        await suspend();
        expect(await appConsoleSessions.createCode(store.id, installation.id, code)).toBeNull();
        await installations.update(store.id, installation.id, { status: 'Installed' });
        expect(await appConsoleSessions.exchange(code, hash, store.domain)).toBe(false);
      });
    });

    describe('lookAtCode', () => {
      it('Returns the name of the installation that the code signs in to, and leaves the code as it is.', async () => {
        const { appConsoleSessions } = world.ports;
        await appConsoleSessions.createCode(store.id, installation.id, code);
        for (let times = 0; times < 2; times += 1)
          expect(await appConsoleSessions.lookAtCode(code, store.domain)).toBe(installation.name);
        expect(await appConsoleSessions.exchange(code, hash, store.domain)).toBe(true);
      });
      it('Returns null when it would start no session.', async () => {
        const { appConsoleSessions } = world.ports;
        const [late, used] = ['late', 'used'].map((of) => hashOf(`${of} ${installation.id.slice(-12)}`)) as [string, string];
        const create = (of: string) => appConsoleSessions.createCode(store.id, installation.id, of);
        await create(late);
        await world.pass(10 * MINUTE);
        await create(used);
        await appConsoleSessions.exchange(used, hash, store.domain);
        await create(code);
        expect(await appConsoleSessions.lookAtCode(code, (await aStore(world)).domain)).toBeNull();
        await suspend();
        const asked = [late, used, hash, code].map((of) => appConsoleSessions.lookAtCode(of, store.domain));
        expect(await Promise.all(asked)).toEqual([null, null, null, null]);
      });
    });

    describe('exchange', () => {
      it("Starts a session of the code's installation.", async () => {
        const { appConsoleSessions, admission } = world.ports;
        await appConsoleSessions.createCode(store.id, installation.id, code);
        expect(await appConsoleSessions.exchange(code, hash, store.domain)).toBe(true);
        const found = await admission.authenticateSession(hash, store.domain);
        expect(found).toMatchObject({ caller: { installationId: installation.id } });
      });
      it('Returns false and starts nothing when the code was used before.', async () => {
        const { appConsoleSessions } = world.ports;
        await appConsoleSessions.createCode(store.id, installation.id, code);
        const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`${letter} ${installation.id.slice(-12)}`));
        const exchanged = await Promise.all(hashes.map((one) => appConsoleSessions.exchange(code, one, store.domain)));
        expect(exchanged.filter(Boolean)).toHaveLength(1);
        for (const [n, one] of hashes.entries()) expect(await state(one)).toBe(exchanged[n] ? 'ok' : 'unknown_token');
      });
      it('Returns false when the code has expired.', async () => {
        const { appConsoleSessions } = world.ports;
        await appConsoleSessions.createCode(store.id, installation.id, code);
        await world.pass(10 * MINUTE);
        expect(await appConsoleSessions.exchange(code, hash, store.domain)).toBe(false);
      });
      it("Returns false when the code is for another store's domain.", async () => {
        const { appConsoleSessions } = world.ports;
        await appConsoleSessions.createCode(store.id, installation.id, code);
        expect(await appConsoleSessions.exchange(code, hash, (await aStore(world)).domain)).toBe(false);
        const { moved } = await aMove(world, store);
        expect(await appConsoleSessions.exchange(code, hash, store.domain)).toBe(false);
        expect(await appConsoleSessions.exchange(code, hash, moved)).toBe(true);
      });
      it('Returns false when the installation may not call.', async () => {
        const { appConsoleSessions, transaction } = world.ports;
        await appConsoleSessions.createCode(store.id, installation.id, code);
        await transaction.run(null, (tx) => tx.installations.uninstall(store.id, installation.id));
        expect(await appConsoleSessions.exchange(code, hash, store.domain)).toBe(false);
      });
      it('Returns false for the hash of a session.', async () => {
        const { appConsoleSessions } = world.ports;
        await appConsoleSessions.start(store.id, installation.id, code);
        expect(await appConsoleSessions.exchange(code, hash, store.domain)).toBe(false);
        expect(await state(code)).toBe('ok');
      });
    });

    describe('end', () => {
      it('Ends the session on the store of this domain.', async () => {
        const { appConsoleSessions } = world.ports;
        await appConsoleSessions.start(store.id, installation.id, hash);
        await appConsoleSessions.end(hash, (await aStore(world)).domain);
        expect(await state()).toBe('ok');
        await appConsoleSessions.end(hash, store.domain);
        expect(await state()).toBe('unknown_token');
      });
      it('Leaves other sessions as they are.', async () => {
        const { appConsoleSessions } = world.ports;
        await appConsoleSessions.start(store.id, installation.id, hash);
        await appConsoleSessions.end(code, store.domain);
        expect(await state()).toBe('ok');
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` sessions and codes that have expired, and returns how many.', async () => {
        const { appConsoleSessions } = world.ports;
        await world.pass(9 * 60 * MINUTE);
        await appConsoleSessions.purge(1000);
        await appConsoleSessions.start(store.id, installation.id, hash);
        await appConsoleSessions.createCode(store.id, installation.id, code);
        await appConsoleSessions.createCode(store.id, installation.id, hashOf(`2nd ${code}`));
        await world.pass(15 * MINUTE);
        expect([await appConsoleSessions.purge(1), await appConsoleSessions.purge(5)]).toEqual([1, 1]);
        expect(await state()).toBe('ok');
      });
    });
  });
};
