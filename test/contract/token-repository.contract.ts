import { beforeEach, describe, expect, it } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import { aStore, anInstallation, hashOf, useTenancy } from './identity-worlds.ts';
import type { IdentityWorld } from './identity-worlds.ts';

export const tokenRepositoryContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`token-repository: ${name}`, () => {
    let world: IdentityWorld;
    let store: Store;
    let installation: Installation;
    let hash: string;
    useTenancy(open, (tenancy) => {
      ({ world, store, installation } = tenancy);
      hash = hashOf(installation.id.slice(-12));
    });
    const reason = async (domain = store.domain, of = hash) => {
      const authentication = await world.ports.tokens.authenticate(of, domain);
      return authentication.ok ? 'ok' : authentication.reason;
    };

    it('issues a token with this SHA-256 and answers the seconds it lives', async () => {
      expect(await world.ports.tokens.issue(installation.id, hash)).toBe(3600);
      expect(await reason()).toBe('ok');
    });
    it('an installation may hold many', async () => {
      const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`${letter}${installation.id.slice(-12)}`));
      for (const one of hashes) await world.ports.tokens.issue(installation.id, one);
      for (const one of hashes) expect(await reason(store.domain, one)).toBe('ok');
    });
    it('issue: null, and nothing is written, when the installation may not call', async () => {
      const { tokens, installations, stores, transaction } = world.ports;
      expect(await tokens.issue(world.ids.next(), hash)).toBeNull();
      await installations.update(installation.id, { status: 'Suspended' });
      expect(await tokens.issue(installation.id, hash)).toBeNull();
      await installations.update(installation.id, { status: 'Installed' });
      await stores.update(store.id, { status: 'Inactive' });
      expect(await tokens.issue(installation.id, hash)).toBeNull();
      await stores.update(store.id, { status: 'Active' });
      await transaction.run((tx) => tx.installations.uninstall(installation.id));
      expect(await tokens.issue(installation.id, hash)).toBeNull();
      expect(await reason()).toBe('unknown_token');
    });
    it('who calls, with the scopes granted now', async () => {
      await world.ports.tokens.issue(installation.id, hash);
      await world.ports.installations.update(installation.id, { scopes: ['read_webhooks'] });
      expect(await world.ports.tokens.authenticate(hash, store.domain)).toEqual({
        ok: true,
        caller: { storeId: store.id, installationId: installation.id, scopes: ['read_webhooks'] },
        known: null,
      });
    });
    it("The same statement looks up the idempotency key: what the caller's own has finished with, and nothing of one that runs", async () => {
      const { idempotency, installations, tokens, transaction } = world.ports;
      await tokens.issue(installation.id, hash);
      const other = await anInstallation(world, store.id);
      const [scope, theirs] = [installation, other].map(({ id }) => ({ installationId: id, key: 'a key' }));
      const known = async (key: string | null) => {
        const authentication = await tokens.authenticate(hash, store.domain, key);
        return authentication.ok ? authentication.known : authentication.reason;
      };
      const finish = async (of: typeof scope) => {
        if (!of) return;
        await idempotency.claim(of, '11'.repeat(32));
        await transaction.run(async (tx) => {
          await tx.idempotency.lock(of);
          await tx.idempotency.remember(of, { status: 201, headers: { Location: '/x' }, body: new TextEncoder().encode('{}') });
        });
      };
      await finish(theirs);
      expect(await known('a key')).toBeNull();
      await idempotency.claim({ installationId: installation.id, key: 'a key' }, '11'.repeat(32));
      expect(await known('a key')).toBeNull();
      await finish(scope);
      expect(await known('a key')).toMatchObject({
        record: { state: 'finished', fingerprint: '11'.repeat(32), replayable: true },
        response: { status: 201, headers: { Location: '/x' } },
      });
      expect(await known(null)).toBeNull();
      // The keys of these worlds are remembered for a minute.
      await world.pass(50);
      expect(await known('a key')).not.toBeNull();
      await world.pass(20);
      expect(await known('a key')).toBeNull();
      await installations.update(installation.id, { status: 'Suspended' });
      expect(await known('a key')).toBe('suspended');
    });
    describe('Access token: valid becomes invalid', () => {
      beforeEach(() => world.ports.tokens.issue(installation.id, hash));
      it('when 3600 seconds elapse, and not before', async () => {
        await world.pass(3590);
        expect(await reason()).toBe('ok');
        await world.pass(10);
        expect(await reason()).toBe('expired');
      });
      it('by revocation', async () => {
        expect(await world.ports.tokens.revokeAll(installation.id)).toBe(true);
        expect(await reason()).toBe('revoked');
      });
      it('by uninstall', async () => {
        await world.ports.transaction.run((tx) => tx.installations.uninstall(installation.id));
        expect(await reason()).toBe('uninstalled');
      });
      it('when the store is not active', async () => {
        await world.ports.stores.update(store.id, { status: 'Inactive' });
        expect(await reason()).toBe('store_inactive');
      });
      it('by suspension, for good', async () => {
        await world.ports.installations.update(installation.id, { status: 'Suspended' });
        expect(await reason()).toBe('suspended');
        await world.ports.installations.update(installation.id, { status: 'Installed' });
        expect(await reason()).toBe('revoked');
      });
      it('never for another store: wrong_store', async () => {
        expect(await reason((await aStore(world)).domain)).toBe('wrong_store');
        expect(await reason('no-such-store.test')).toBe('wrong_store');
      });
      it('when nobody issued it: unknown_token', async () => {
        expect(await reason(store.domain, hashOf('never'))).toBe('unknown_token');
      });
    });
    it('revokes every token of the installation and of no other; a new one is valid', async () => {
      const other = await anInstallation(world, store.id);
      const theirs = hashOf(other.id.slice(-12));
      await world.ports.tokens.issue(installation.id, hash);
      await world.ports.tokens.issue(other.id, theirs);
      await world.ports.tokens.revokeAll(installation.id);
      expect(await reason(store.domain, theirs)).toBe('ok');
      const renewed = hashOf(`new${installation.id.slice(-12)}`);
      await world.ports.tokens.issue(installation.id, renewed);
      expect(await reason(store.domain, renewed)).toBe('ok');
    });
    it('revokeAll: false when there is no such installation', async () => {
      expect(await world.ports.tokens.revokeAll(world.ids.next())).toBe(false);
    });
    it('purges up to limit tokens that have expired or were revoked', async () => {
      await world.pass(7200);
      await world.ports.tokens.purge(1000);
      const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`purge ${letter}${installation.id.slice(-12)}`));
      for (const one of hashes) await world.ports.tokens.issue(installation.id, one);
      await world.ports.tokens.revokeAll(installation.id);
      await world.ports.tokens.issue(installation.id, hash);
      expect(await world.ports.tokens.purge(2)).toBe(2);
      expect(await world.ports.tokens.purge(2)).toBe(1);
      expect(await reason()).toBe('ok');
    });
  });
};
