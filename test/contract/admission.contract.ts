import { beforeEach, describe, expect, it } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import type { PlatformApp } from '../../src/domain/identity/platform-app.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import { aChangedDocument } from './document-changes.ts';
import {
  admissionOf,
  aMove,
  aStore,
  anInstallation,
  anInstallationOf,
  aPlatformApp,
  aSandbox,
  hashOf,
  KEY_SECONDS,
  sessionOf,
  useTenancy,
  type IdentityWorld,
} from './identity-worlds.ts';
import { claimKey } from '../support/claim-key.ts';

export const admissionContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`Admission on ${name}`, () => {
    let world: IdentityWorld;
    let store: Store;
    let installation: Installation;
    let hash: string;
    useTenancy(open, (tenancy) => {
      ({ world, store, installation } = tenancy);
      hash = hashOf(installation.id.slice(-12));
    });
    const reason = (domain = store.domain, of = hash) => admissionOf(world, of, domain);

    const known = async (key: string | null) => {
      const authentication = await world.ports.admission.authenticate(
        hash,
        store.domain,
        key === null ? null : { kind: 'key', key },
      );
      return authentication.ok ? authentication.known : authentication.reason;
    };
    const finish = async (installationId: string) => {
      const scope = { storeId: store.id, installationId, key: 'a key' };
      await claimKey(world.ports, scope, '11'.repeat(32));
      await world.ports.transaction.run(null, async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.idempotency.remember(scope, { status: 201, headers: { Location: '/x' }, body: new TextEncoder().encode('{}') });
      });
    };

    describe('authenticate', () => {
      it('Returns the caller of the token with this SHA-256 in hex, with the scopes granted now.', async () => {
        await world.ports.tokens.issue(store.id, installation.id, hash);
        await world.ports.installations.update(store.id, installation.id, { scopes: ['read_webhooks'] });
        expect(await world.ports.admission.authenticate(hash, store.domain)).toEqual({
          ok: true,
          caller: { storeId: store.id, installationId: installation.id, scopes: ['read_webhooks'], sandboxAppId: null },
          known: null,
        });
      });
      it('Names the platform app whose sandbox store it calls.', async () => {
        const sandbox = await aSandbox(world);
        const { id } = await anInstallation(world, sandbox.id);
        await world.ports.tokens.issue(sandbox.id, id, hash);
        for (const kind of ['key', 'product', 'collection', null] as const) {
          const lookAhead = kind && (kind === 'key' ? { kind, key: 'a key' } : { kind, id });
          const { sandboxAppId } = sandbox;
          expect(await world.ports.admission.authenticate(hash, sandbox.domain, lookAhead)).toMatchObject({
            caller: { sandboxAppId },
          });
        }
      });
      it('The store is the one that has the domain now.', async () => {
        const { tokens } = world.ports;
        await tokens.issue(store.id, installation.id, hash);
        expect(await reason()).toBe('ok');
        const { taker, moved } = await aMove(world, store);
        expect([await reason(), await reason(moved)]).toEqual(['wrong_store', 'ok']);
        const theirs = await anInstallation(world, taker.id);
        const theirHash = hashOf(theirs.id.slice(-12));
        await tokens.issue(taker.id, theirs.id, theirHash);
        expect([await reason(store.domain, theirHash), await reason(moved, theirHash)]).toEqual(['ok', 'wrong_store']);
      });
      it("Returns what the caller's idempotency key finished with.", async () => {
        await world.ports.tokens.issue(store.id, installation.id, hash);
        await finish(installation.id);
        expect(await known('a key')).toMatchObject({
          record: { state: 'finished', fingerprint: '11'.repeat(32), replayable: true },
          response: { status: 201, headers: { Location: '/x' } },
        });
        expect(await known(null)).toBeNull();
        await world.ports.installations.update(store.id, installation.id, { status: 'Suspended' });
        expect(await known('a key')).toBe('suspended');
      });
      it('Returns nothing for a key that still runs or has expired.', async () => {
        await world.ports.tokens.issue(store.id, installation.id, hash);
        await claimKey(world.ports, { storeId: store.id, installationId: installation.id, key: 'a key' }, '11'.repeat(32));
        expect(await known('a key')).toBeNull();
        await finish(installation.id);
        await world.pass(KEY_SECONDS - 10);
        expect(await known('a key')).not.toBeNull();
        await world.pass(20);
        expect(await known('a key')).toBeNull();
      });
      it('Returns nothing for a key of another installation.', async () => {
        await world.ports.tokens.issue(store.id, installation.id, hash);
        await finish((await anInstallation(world, store.id)).id);
        expect(await known('a key')).toBeNull();
      });
      it('Returns the version of the live product or of the collection, which changes with everything that its document shows.', async () => {
        await world.ports.tokens.issue(store.id, installation.id, hash);
        const version = async (kind: 'product' | 'collection', id: string) => {
          const found = await world.ports.admission.authenticate(hash, store.domain, { kind, id });
          return found.ok ? found.version : found.reason;
        };
        const product = await aChangedDocument(world.ports, world.ids, store.id);
        const elsewhere = await aChangedDocument(world.ports, world.ids, (await aStore(world)).id);
        const seen = [await version('product', product.id)];
        for (const [name, change] of Object.entries(product.changes)) {
          await change();
          expect(seen, name).not.toContain(await version('product', product.id));
          seen.push(await version('product', product.id));
        }
        expect(await version('product', product.id)).toBe(seen.at(-1));
        expect(await version('product', elsewhere.id)).toBeNull();

        const id = world.ids.next();
        const put = (productIds: string[]) =>
          world.ports.transaction.run(null, ({ collections }) =>
            collections.save(store.id, { id, title: 'T', handle: null, productIds }, '2026-03-01T00:00:00.000Z'),
          );
        expect(await version('collection', id)).toBeNull();
        await put([product.id]);
        const collection = await version('collection', id);
        await put([]);
        const emptied = await version('collection', id);
        await put([product.id]);
        const filled = await version('collection', id);
        await product.remove();
        expect(emptied).not.toBe(collection);
        expect(await version('collection', id)).not.toBe(filled);
        expect(await version('product', product.id)).toBeNull();
      });
      describe('Refuses a token that is not valid, with the reason.', () => {
        beforeEach(() => world.ports.tokens.issue(store.id, installation.id, hash));
        it('expired after 3600 seconds, and not before', async () => {
          await world.pass(3590);
          expect(await reason()).toBe('ok');
          await world.pass(10);
          expect(await reason()).toBe('expired');
        });
        it('revoked', async () => {
          expect(await world.ports.tokens.revokeAll(store.id, installation.id)).toBe(true);
          expect(await reason()).toBe('revoked');
        });
        it('of an uninstalled app', async () => {
          await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, installation.id));
          expect(await reason()).toBe('uninstalled');
        });
        it('of an inactive store', async () => {
          await world.ports.stores.update(store.id, { status: 'Inactive' });
          expect(await reason()).toBe('store_inactive');
        });
        it('of a suspended app, also after it is installed again', async () => {
          await world.ports.installations.update(store.id, installation.id, { status: 'Suspended' });
          expect(await reason()).toBe('suspended');
          await world.ports.installations.update(store.id, installation.id, { status: 'Installed' });
          expect(await reason()).toBe('revoked');
        });
        it('of another store', async () => {
          expect(await reason((await aStore(world)).domain)).toBe('wrong_store');
          expect(await reason('no-such-store.test')).toBe('wrong_store');
        });
        it('unknown', async () => {
          expect(await reason(store.domain, hashOf('never'))).toBe('unknown_token');
        });
      });
    });

    describe('authenticateSession', () => {
      const MINUTE = 60;
      const ofSession = (domain = store.domain, of = hash) => sessionOf(world, of, domain);
      beforeEach(() => world.ports.appConsoleSessions.start(store.id, installation.id, hash));

      it('Returns the caller of the console session with this SHA-256 in hex, with the scopes granted now.', async () => {
        await world.ports.installations.update(store.id, installation.id, { scopes: ['read_webhooks'] });
        expect(await world.ports.admission.authenticateSession(hash, store.domain)).toEqual({
          ok: true,
          caller: { storeId: store.id, installationId: installation.id, scopes: ['read_webhooks'], sandboxAppId: null },
          known: null,
        });
      });
      describe('of the developer of a platform app', () => {
        let app: PlatformApp;
        let other: Store;
        let own: Installation;
        const session = hashOf(`developer ${'0'.repeat(12)}`);
        beforeEach(async () => {
          app = await aPlatformApp(world);
          other = await aStore(world);
          own = await anInstallationOf(world, store.id, app);
          await world.ports.developerSessions.end(session);
          await world.ports.developerSessions.start(app.id, hashOf(`${app.id.slice(-12)} first`), session);
        });
        it('The caller of a session of a developer is the installation of its app on the store.', async () => {
          const second = await anInstallationOf(world, other.id, app);
          const callerAt = async ({ domain }: Store) => world.ports.admission.authenticateSession(session, domain);
          expect(await callerAt(store)).toMatchObject({ caller: { installationId: own.id, storeId: store.id } });
          expect(await callerAt(other)).toMatchObject({ caller: { installationId: second.id, storeId: other.id } });
          await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, own.id));
          await anInstallationOf(world, (await aStore(world)).id, await aPlatformApp(world));
          expect([await ofSession(store.domain, session), await ofSession((await aStore(world)).domain, session)]).toEqual([
            'unknown_token',
            'unknown_token',
          ]);
          await world.ports.installations.update(other.id, second.id, { status: 'Suspended' });
          expect(await ofSession(other.domain, session)).toBe('suspended');
        });
        it('Ends such a session with its client secret.', async () => {
          const rotated = { id: world.ids.next(), hash: hashOf(`${app.id.slice(-12)} second`) };
          await world.ports.platformApps.rotateClientSecret(app.id, rotated, 60);
          expect(await ofSession(store.domain, session)).toBe('ok');
          await world.pass(60);
          expect(await ofSession(store.domain, session)).not.toBe('ok');
        });
      });
      it('Names the platform app whose sandbox store it calls.', async () => {
        const sandbox = await aSandbox(world);
        await world.ports.appConsoleSessions.start(sandbox.id, (await anInstallation(world, sandbox.id)).id, hash);
        for (const key of [null, 'a key'])
          expect(await world.ports.admission.authenticateSession(hash, sandbox.domain, key)).toMatchObject({
            caller: { sandboxAppId: sandbox.sandboxAppId },
          });
      });
      it('The store is the one that has the domain now.', async () => {
        expect(await ofSession()).toBe('ok');
        const { moved } = await aMove(world, store);
        expect([await ofSession(), await ofSession(moved)]).toEqual(['wrong_store', 'ok']);
      });
      it('A use keeps the session for another 30 minutes.', async () => {
        for (let times = 0; times < 4; times += 1) {
          await world.pass(28 * MINUTE);
          expect(await ofSession()).toBe('ok');
        }
        await world.pass(30 * MINUTE);
        expect(await ofSession()).toBe('expired');
      });
      it("Returns what the caller's idempotency key finished with.", async () => {
        await finish(installation.id);
        const keyed = await world.ports.admission.authenticateSession(hash, store.domain, 'a key');
        expect(keyed).toMatchObject({ ok: true, known: { record: { state: 'finished' }, response: { status: 201 } } });
        const other = await world.ports.admission.authenticateSession(hash, store.domain, 'another');
        expect(other).toMatchObject({ ok: true, known: null });
        await world.ports.tokens.revokeAll(store.id, installation.id);
        const ended = await world.ports.admission.authenticateSession(hash, store.domain, 'a key');
        expect(ended).toEqual({ ok: false, reason: 'revoked' });
      });
      describe('Refuses a session that is not valid, with the reason.', () => {
        it('expired after 30 minutes without use', async () => {
          await world.pass(30 * MINUTE);
          expect(await ofSession()).toBe('expired');
        });
        it('expired after 8 hours in all', async () => {
          for (let minutes = 20; minutes < 480; minutes += 20) {
            await world.pass(20 * MINUTE);
            expect(await ofSession()).toBe('ok');
          }
          await world.pass(20 * MINUTE);
          expect(await ofSession()).toBe('expired');
        });
        it('of another store', async () => {
          expect(await ofSession((await aStore(world)).domain)).toBe('wrong_store');
        });
        it('of an uninstalled app', async () => {
          await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, installation.id));
          expect(await ofSession()).toBe('uninstalled');
        });
        it('unknown, ended, a code or a token', async () => {
          const { appConsoleSessions, tokens } = world.ports;
          const others = ['code', 'token'].map((text) => hashOf(`${text} ${installation.id.slice(-12)}`));
          await appConsoleSessions.createCode(store.id, installation.id, others[0] ?? '');
          await tokens.issue(store.id, installation.id, others[1] ?? '');
          await appConsoleSessions.end(hash, store.domain);
          for (const of of [...others, hash]) expect(await ofSession(store.domain, of)).toBe('unknown_token');
          expect(await reason(store.domain, hash)).toBe('unknown_token');
        });
      });
    });
  });
};
