import { beforeEach, describe, expect, it } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import { aStore, anInstallation, hashOf, useTenancy } from './identity-worlds.ts';
import type { IdentityWorld } from './identity-worlds.ts';

export const admissionContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`admission: ${name}`, () => {
    let world: IdentityWorld;
    let store: Store;
    let installation: Installation;
    let hash: string;
    useTenancy(open, (tenancy) => {
      ({ world, store, installation } = tenancy);
      hash = hashOf(installation.id.slice(-12));
    });
    const reason = async (domain = store.domain, of = hash) => {
      const authentication = await world.ports.admission.authenticate(of, domain);
      return authentication.ok ? 'ok' : authentication.reason;
    };

    const known = async (key: string | null) => {
      const authentication = await world.ports.admission.authenticate(hash, store.domain, key);
      return authentication.ok ? authentication.known : authentication.reason;
    };
    const finish = async (installationId: string) => {
      const scope = { installationId, key: 'a key' };
      await world.ports.idempotency.claim(scope, '11'.repeat(32));
      await world.ports.transaction.run(async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.idempotency.remember(scope, { status: 201, headers: { Location: '/x' }, body: new TextEncoder().encode('{}') });
      });
    };

    describe('authenticate', () => {
      it('finds who calls with the token of this SHA-256 (hex) on the store of this domain, with the scopes granted now', async () => {
        await world.ports.tokens.issue(installation.id, hash);
        await world.ports.installations.update(installation.id, { scopes: ['read_webhooks'] });
        expect(await world.ports.admission.authenticate(hash, store.domain)).toEqual({
          ok: true,
          caller: { storeId: store.id, installationId: installation.id, scopes: ['read_webhooks'] },
          known: null,
        });
      });
      it('looks up the idempotency key together with the token: a finished one of the caller is known, a running one is not', async () => {
        const { idempotency, installations, tokens } = world.ports;
        await tokens.issue(installation.id, hash);
        await idempotency.claim({ installationId: installation.id, key: 'a key' }, '11'.repeat(32));
        expect(await known('a key')).toBeNull();
        await finish(installation.id);
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
      it('a key of another installation is not known', async () => {
        await world.ports.tokens.issue(installation.id, hash);
        await finish((await anInstallation(world, store.id)).id);
        expect(await known('a key')).toBeNull();
      });
      describe('refuses a token that is not valid, with the reason', () => {
        beforeEach(() => world.ports.tokens.issue(installation.id, hash));
        it("expiry is by the database's clock", async () => {
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
    });
  });
};
