import { describe, expect, it } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import { admissionOf, anInstallation, aStore, hashOf, sessionOf, useTenancy, type IdentityWorld } from './identity-worlds.ts';

export const tokenRepositoryContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`TokenRepository on ${name}`, () => {
    let world: IdentityWorld;
    let store: Store;
    let installation: Installation;
    let hash: string;
    useTenancy(open, (tenancy) => {
      ({ world, store, installation } = tenancy);
      hash = hashOf(installation.id.slice(-12));
    });
    const reason = (domain = store.domain, of = hash) => admissionOf(world, of, domain);

    describe('issue', () => {
      it('Issues a token with this SHA-256 in hex, and returns its lifetime in seconds.', async () => {
        expect(await world.ports.tokens.issue(store.id, installation.id, hash)).toBe(3600);
        expect(await reason()).toBe('ok');
      });
      it('The lifetime is the given one, or else that of all tokens.', async () => {
        expect(await world.ports.tokens.issue(store.id, installation.id, hash, 60)).toBe(60);
        await world.pass(59);
        expect(await reason()).toBe('ok');
        await world.pass(1);
        expect(await reason()).toBe('expired');
        expect(await world.ports.tokens.issue(store.id, installation.id, hashOf(`a${installation.id.slice(-12)}`))).toBe(3600);
      });
      it('An installation can have many tokens.', async () => {
        const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`${letter}${installation.id.slice(-12)}`));
        for (const one of hashes) await world.ports.tokens.issue(store.id, installation.id, one);
        for (const one of hashes) expect(await reason(store.domain, one)).toBe('ok');
      });
      it('Returns null and writes nothing when the installation may not call.', async () => {
        const { tokens, installations, stores, transaction } = world.ports;
        expect(await tokens.issue(store.id, world.ids.next(), hash)).toBeNull();
        expect(await tokens.issue((await aStore(world)).id, installation.id, hash)).toBeNull();
        await installations.update(store.id, installation.id, { status: 'Suspended' });
        expect(await tokens.issue(store.id, installation.id, hash)).toBeNull();
        await installations.update(store.id, installation.id, { status: 'Installed' });
        await stores.update(store.id, { status: 'Inactive' });
        expect(await tokens.issue(store.id, installation.id, hash)).toBeNull();
        await stores.update(store.id, { status: 'Active' });
        await transaction.run(null, (tx) => tx.installations.uninstall(store.id, installation.id));
        expect(await tokens.issue(store.id, installation.id, hash)).toBeNull();
        expect(await reason()).toBe('unknown_token');
      });
    });
    describe('revokeAll', () => {
      it('Revokes every token of the installation.', async () => {
        const other = await anInstallation(world, store.id);
        const [theirs, second] = [hashOf(other.id.slice(-12)), hashOf(`second${installation.id.slice(-12)}`)];
        for (const one of [hash, second]) await world.ports.tokens.issue(store.id, installation.id, one);
        await world.ports.tokens.issue(other.storeId, other.id, theirs);
        expect(await world.ports.tokens.revokeAll(store.id, installation.id)).toBe(true);
        expect([await reason(), await reason(store.domain, second)]).toEqual(['revoked', 'revoked']);
        expect(await reason(store.domain, theirs)).toBe('ok');
      });
      it('Ends its console sessions and login codes.', async () => {
        const { appConsoleSessions, tokens } = world.ports;
        const other = await anInstallation(world, store.id);
        const theirs = hashOf(`session ${other.id.slice(-12)}`);
        await appConsoleSessions.start(store.id, installation.id, hash);
        await appConsoleSessions.start(other.storeId, other.id, theirs);
        const code = hashOf(`code ${installation.id.slice(-12)}`);
        await appConsoleSessions.createCode(store.id, installation.id, code);
        await tokens.revokeAll(store.id, installation.id);
        expect(await sessionOf(world, hash, store.domain)).toBe('revoked');
        expect(await sessionOf(world, theirs, store.domain)).toBe('ok');
        expect(await appConsoleSessions.exchange(code, hashOf(`of ${installation.id.slice(-12)}`), store.domain)).toBe(false);
      });
      it('Leaves a token valid that is issued afterwards.', async () => {
        await world.ports.tokens.issue(store.id, installation.id, hash);
        await world.ports.tokens.revokeAll(store.id, installation.id);
        const renewed = hashOf(`new${installation.id.slice(-12)}`);
        await world.ports.tokens.issue(store.id, installation.id, renewed);
        expect(await reason(store.domain, renewed)).toBe('ok');
      });
      it('Returns false when the store does not have the installation.', async () => {
        await world.ports.tokens.issue(store.id, installation.id, hash);
        expect(await world.ports.tokens.revokeAll(store.id, world.ids.next())).toBe(false);
        expect(await world.ports.tokens.revokeAll((await aStore(world)).id, installation.id)).toBe(false);
        expect(await reason()).toBe('ok');
      });
    });
    describe('purge', () => {
      it('Deletes at most `limit` tokens that are expired or revoked, and returns how many.', async () => {
        await world.pass(7200);
        await world.ports.tokens.purge(1000);
        const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`purge ${letter}${installation.id.slice(-12)}`));
        for (const one of hashes) await world.ports.tokens.issue(store.id, installation.id, one);
        await world.ports.tokens.revokeAll(store.id, installation.id);
        await world.ports.tokens.issue(store.id, installation.id, hash);
        expect(await world.ports.tokens.purge(2)).toBe(2);
        expect(await world.ports.tokens.purge(2)).toBe(1);
        expect(await reason()).toBe('ok');
      });
    });
  });
};
