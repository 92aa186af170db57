import { describe, expect, it } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import { MAX_PREVIEWED, type InstallationFilter } from '../../src/domain/ports/identity/installation-repository.ts';
import type { Scope } from '../../src/domain/identity/scope.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import {
  aMove,
  anImport,
  anInstallation,
  anInstallationOf,
  aPlatformApp,
  aStore,
  hashOf,
  sessionOf,
  useTenancy,
  type IdentityWorld,
} from './identity-worlds.ts';
import { lockOrder, WAITS } from './lock-order.ts';
import { aStoppable } from './stopping.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

export const installationRepositoryContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`InstallationRepository on ${name}`, () => {
    let world: IdentityWorld;
    let store: Store;
    let installation: Installation;
    let firstHash: string;
    useTenancy(open, (tenancy) => {
      ({ world, store, installation } = tenancy);
      firstHash = hashOf(`${installation.id.slice(-12)} first`);
    });
    const hashes = async () => (await world.ports.installations.credentials(installation.clientId, store.domain))?.secretHashes;
    const isValid = async (token: string) => (await world.ports.admission.authenticate(token, store.domain)).ok;
    const uninstall = (storeId = store.id, id = installation.id) =>
      world.ports.transaction.run(null, (tx) => tx.installations.uninstall(storeId, id));
    const secret = (text: string) => ({ id: world.ids.next(), hash: hashOf(`${installation.id.slice(-12)} ${text}`) });

    describe('create', () => {
      it('Creates an installed app with its first secrets.', async () => {
        expect(installation).toEqual({
          id: installation.id,
          storeId: store.id,
          name: 'App',
          clientId: installation.id,
          platformAppId: null,
          scopes: ['read_orders', 'write_products'],
          status: 'Installed',
          createdAt: TIME,
          updatedAt: null,
          uninstalledAt: null,
          previousClientSecretExpiresAt: null,
          previousSigningSecretExpiresAt: null,
        });
        expect(await world.ports.installations.get(store.id, installation.id)).toEqual(installation);
        expect(await hashes()).toEqual([firstHash]);
        expect(await world.ports.installations.signingSecrets(store.id, installation.id)).toEqual(['sealed']);
      });
      it('Returns null and writes nothing when the store does not exist.', async () => {
        const id = world.ids.next();
        const storeId = world.ids.next();
        const given = { id, storeId, name: 'x', clientId: id, scopes: [] };
        const signingSecret = { id: world.ids.next(), sealed: 's' };
        expect(await world.ports.installations.create({ ...given, clientSecret: secret('x'), signingSecret })).toBeNull();
        expect(await world.ports.installations.get(storeId, id)).toBeNull();
      });
    });
    describe('get', () => {
      it('Returns the installation.', async () => {
        expect(await world.ports.installations.get(store.id, installation.id)).toEqual(installation);
      });
      it('Shows until when an older client secret and an older signing secret are valid, and null where only the newest is.', async () => {
        const { installations } = world.ports;
        await installations.rotateClientSecret(store.id, installation.id, secret('second'), 100);
        const third = await installations.rotateClientSecret(store.id, installation.id, secret('third'), 300);
        if (third === null || third === 'uninstalled') throw new Error('not rotated');
        expect(await installations.get(store.id, installation.id)).toEqual({
          ...installation,
          previousClientSecretExpiresAt: third.previousExpiresAt,
        });
        await installations.rotateSigningSecret(store.id, installation.id, { id: world.ids.next(), sealed: 'second' }, 100);
        const both = { previousClientSecretExpiresAt: TIME, previousSigningSecretExpiresAt: TIME };
        expect(await installations.update(store.id, installation.id, { name: 'B' })).toMatchObject(both);
        const page = await installations.list(store.id, { skip: 0, take: 1 });
        expect(page?.items).toMatchObject([both]);
        await world.pass(300);
        const none = { previousClientSecretExpiresAt: null, previousSigningSecretExpiresAt: null };
        expect(await installations.get(store.id, installation.id)).toMatchObject(none);
      });
      it('Shows no such time of an uninstalled app.', async () => {
        const { installations } = world.ports;
        await installations.rotateClientSecret(store.id, installation.id, secret('second'), 100);
        await uninstall();
        expect(await installations.get(store.id, installation.id)).toMatchObject({ previousClientSecretExpiresAt: null });
      });
      it('Returns null when the store does not have the installation.', async () => {
        expect(await world.ports.installations.get(store.id, world.ids.next())).toBeNull();
        expect(await world.ports.installations.get((await aStore(world)).id, installation.id)).toBeNull();
      });
    });
    describe('list', () => {
      it("Returns a page of the store's installations by creation, then id, also those that were uninstalled.", async () => {
        const second = await anInstallation(world, store.id);
        await uninstall();
        await anInstallation(world, (await aStore(world)).id);
        const page = await world.ports.installations.list(store.id, { skip: 0, take: 10 });
        expect(page).toMatchObject({ items: [{ id: installation.id, status: 'Uninstalled' }, { id: second.id }], total: 2 });
        expect(await world.ports.installations.list(store.id, { skip: 1, take: 10 })).toMatchObject({
          items: [{ id: second.id }],
          total: 2,
        });
      });
      it('Begins behind the place, if one is given.', async () => {
        const second = await anInstallation(world, store.id);
        const { installations } = world.ports;
        const first = await installations.list(store.id, { skip: 0, take: 1 });
        expect(first?.next).toEqual({ at: Date.parse(installation.createdAt), id: installation.id });
        const rest = await installations.list(store.id, { skip: 0, take: 1, after: first?.next ?? undefined });
        expect(rest).toMatchObject({ items: [{ id: second.id }], next: null });
      });
      it('Counts all that match, also before the place.', async () => {
        await anInstallation(world, store.id);
        const { installations } = world.ports;
        const next = (await installations.list(store.id, { skip: 0, take: 1 }))?.next;
        expect(await installations.list(store.id, { skip: 0, take: 9, after: next ?? undefined })).toMatchObject({ total: 2 });
      });
      describe('Returns only installations that match every filter.', () => {
        const found = async (filter: InstallationFilter) =>
          (await world.ports.installations.list(store.id, { skip: 0, take: 250 }, filter))?.items.map(({ id }) => id);
        it('a text in the name, in any case, the id or the client id, or its beginning', async () => {
          const one = await anInstallation(world, store.id, { name: 'Übersetzer', clientId: 'tnc_Clients' });
          await anInstallation(world, (await aStore(world)).id, { name: 'Übersetzer' });
          for (const q of ['ÜBERS', 'tnc_client', one.id.toUpperCase()]) expect(await found({ q })).toEqual([one.id]);
          for (const q of ['tnc_clients.', 'clients', 'tnc_cli', one.id.slice(0, 7)]) expect(await found({ q })).toEqual([]);
        });
        it('one of the ids', async () => {
          const second = await anInstallation(world, store.id);
          const elsewhere = await anInstallation(world, (await aStore(world)).id);
          expect(await found({ ids: [second.id, elsewhere.id, world.ids.next()] })).toEqual([second.id]);
          expect(await found({ ids: [] })).toEqual([]);
        });
        it('one of the statuses', async () => {
          const second = await anInstallation(world, store.id);
          await uninstall();
          expect(await found({ statuses: ['Uninstalled'] })).toEqual([installation.id]);
          expect(await found({ statuses: ['Installed', 'Suspended'] })).toEqual([second.id]);
          const page = await world.ports.installations.list(store.id, { skip: 0, take: 1 }, { statuses: ['Uninstalled'] });
          expect(page).toMatchObject({ total: 1, next: null });
        });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await world.ports.installations.list(world.ids.next(), { skip: 0, take: 1 })).toBeNull();
      });
    });
    describe('update', () => {
      it('Changes the given fields and sets updatedAt.', async () => {
        const { installations } = world.ports;
        const updated = await installations.update(store.id, installation.id, { scopes: [] });
        expect(updated).toEqual({ ...installation, scopes: [], updatedAt: TIME });
        expect(await installations.update(store.id, installation.id, { name: 'B', status: 'Suspended' })).toMatchObject({
          name: 'B',
          scopes: [],
          status: 'Suspended',
        });
      });
      it('Returns null when the store does not have the installation.', async () => {
        const { installations } = world.ports;
        expect(await installations.update(store.id, world.ids.next(), { name: 'x' })).toBeNull();
        for (const changes of [{ name: 'x' }, { scopes: [] }, { status: 'Suspended' }] as const)
          expect(await installations.update((await aStore(world)).id, installation.id, changes)).toBeNull();
        expect(await installations.get(store.id, installation.id)).toEqual(installation);
      });
      it('Returns `uninstalled` and changes nothing when the app was uninstalled.', async () => {
        const { installations } = world.ports;
        await uninstall();
        const before = await installations.get(store.id, installation.id);
        expect(await installations.update(store.id, installation.id, { status: 'Installed' })).toBe('uninstalled');
        expect(await installations.get(store.id, installation.id)).toEqual(before);
      });
      it('An installation of a platform app gets no scope that its present ones do not include.', async () => {
        const { installations } = world.ports;
        const installed = await anInstallationOf(world, store.id, await aPlatformApp(world));
        const wider = await installations.update(store.id, installed.id, { scopes: ['read_orders', 'write_products'] });
        expect(wider).toMatchObject({ scopes: ['write_products'] });
        const narrower = await installations.update(store.id, installed.id, { scopes: ['read_products'] });
        expect(narrower).toMatchObject({ scopes: ['read_products'] });
        expect(await installations.update(store.id, installed.id, { scopes: [] })).toMatchObject({ scopes: [] });
      });
      it('Where it is given a write_ scope and has the read_ scope alone, it keeps that.', async () => {
        const { installations } = world.ports;
        const app = await aPlatformApp(world, { scopes: ['read_products'] });
        const installed = await anInstallationOf(world, store.id, app, ['read_products', 'read_orders']);
        const { statuses, whileLeased } = await aStoppable(world, installed);
        const narrow = (...scopes: Scope[]) => installations.update(store.id, installed.id, { scopes });
        await whileLeased(async () => {
          expect(await narrow('write_products')).toMatchObject({ scopes: ['read_products'] });
        });
        expect(await statuses()).toEqual({ 'order.paid': 'Dropped', 'product.updated': 'Waiting' });
        // The kept scopes decide about the drop, not the given ones.
        await narrow('write_orders');
        expect(await statuses()).toEqual({ 'order.paid': 'Dropped', 'product.updated': 'Dropped' });
      });
      it('A suspended app loses its tokens and console sessions for good.', async () => {
        const { appConsoleSessions, installations, tokens } = world.ports;
        const token = hashOf(installation.id.slice(-12));
        await tokens.issue(store.id, installation.id, token);
        await appConsoleSessions.start(store.id, installation.id, token);
        await installations.update(store.id, installation.id, { status: 'Suspended' });
        await installations.update(store.id, installation.id, { status: 'Installed' });
        expect(await isValid(token)).toBe(false);
        expect(await sessionOf(world, token, store.domain)).toBe('revoked');
      });
      it('A suspended app has its attempts in flight stopped and its queued deliveries held as they are.', async () => {
        const { statuses, whileLeased, subscription } = await aStoppable(world, installation);
        await whileLeased(() => world.ports.installations.update(store.id, installation.id, { status: 'Suspended' }));
        expect(await statuses()).toEqual({ 'order.paid': 'Waiting', 'product.updated': 'Waiting' });
        await world.ports.installations.update(store.id, installation.id, { status: 'Installed' });
        expect((await world.ports.deliveries.due(subscription, 10, [])).map(({ attempts }) => attempts)).toEqual([0, 0]);
      });
      it('When scopes are removed, attempts in flight stop and queued deliveries that need these scopes end as Dropped.', async () => {
        const { statuses, whileLeased } = await aStoppable(world, installation);
        await whileLeased(() => world.ports.installations.update(store.id, installation.id, { scopes: ['write_products'] }));
        expect(await statuses()).toEqual({ 'order.paid': 'Dropped', 'product.updated': 'Waiting' });
      });
    });
    describe.each(['rotateClientSecret', 'rotateSigningSecret'] as const)('%s', (method) => {
      /** Rotates to a secret of this text. A signing secret is `sealed` from the start. */
      const rotate = (text: string, overlapSeconds: number, { storeId, id } = installation) => {
        const { installations } = world.ports;
        return method === 'rotateClientSecret'
          ? installations.rotateClientSecret(storeId, id, secret(text), overlapSeconds)
          : installations.rotateSigningSecret(storeId, id, { id: world.ids.next(), sealed: text }, overlapSeconds);
      };
      const FIRST = method === 'rotateClientSecret' ? 'first' : 'sealed';
      const valid = async (): Promise<string[]> => {
        if (method === 'rotateSigningSecret')
          return [...(await world.ports.installations.signingSecrets(store.id, installation.id))].sort();
        const texts = ['first', 'second', 'third'];
        const found = await hashes();
        return texts.filter((text) => found?.includes(secret(text).hash));
      };

      it('Adds the secret.', async () => {
        expect(await rotate('second', 100)).toEqual({ previousExpiresAt: TIME });
        expect(await valid()).toContain('second');
      });
      it('Older secrets end after the overlap, in seconds.', async () => {
        await rotate('second', 100);
        expect(await valid()).toEqual([FIRST, 'second'].sort());
        await world.pass(100);
        expect(await valid()).toEqual(['second']);
      });
      it('An older secret that ends earlier keeps its end.', async () => {
        await rotate('second', 100);
        await rotate('third', 1000);
        await world.pass(100);
        expect(await valid()).toEqual(['second', 'third']);
      });
      it('An overlap of 0 ends the older secrets now.', async () => {
        await rotate('second', 0);
        expect(await valid()).toEqual(['second']);
      });
      it('Returns null when the store does not have the installation.', async () => {
        expect(await rotate('second', 0, { ...installation, id: world.ids.next() })).toBeNull();
        expect(await rotate('second', 0, { ...installation, storeId: (await aStore(world)).id })).toBeNull();
        expect(await valid()).toEqual([FIRST]);
      });
      it('Returns `uninstalled` and changes nothing when the app was uninstalled.', async () => {
        await uninstall();
        const before = await valid();
        expect(await rotate('second', 0)).toBe('uninstalled');
        expect(await valid()).toEqual(before);
      });
    });

    describe('rotateClientSecret', () => {
      it('Its console sessions end after the overlap at the latest.', async () => {
        const { appConsoleSessions, installations } = world.ports;
        const [before, after] = ['before', 'after'].map((text) => hashOf(`${text} ${installation.id.slice(-12)}`));
        await appConsoleSessions.start(store.id, installation.id, before ?? '');
        await installations.rotateClientSecret(store.id, installation.id, secret('second'), 1000);
        await appConsoleSessions.start(store.id, installation.id, after ?? '');
        const states = async () => [
          await sessionOf(world, before ?? '', store.domain),
          await sessionOf(world, after ?? '', store.domain),
        ];
        await world.pass(990);
        expect(await states()).toEqual(['ok', 'ok']);
        await world.pass(10);
        expect(await states()).toEqual(['expired', 'ok']);
        await installations.rotateClientSecret(store.id, installation.id, secret('third'), 0);
        expect(await states()).toEqual(['expired', 'expired']);
      });
    });
    describe('purgeSigningSecrets', () => {
      it('Deletes at most `limit` signing secrets that have expired, and returns how many.', async () => {
        const { installations } = world.ports;
        await installations.purgeSigningSecrets(1_000);
        const add = (sealed: string, overlap: number) =>
          installations.rotateSigningSecret(store.id, installation.id, { id: world.ids.next(), sealed }, overlap);
        for (const sealed of ['second', 'third', 'fourth']) await add(sealed, 100);
        expect(await installations.purgeSigningSecrets(10)).toBe(0);
        await world.pass(100);
        expect(await installations.purgeSigningSecrets(2)).toBe(2);
        expect(await installations.purgeSigningSecrets(2)).toBe(1);
        await add('fifth', 100);
        expect(await installations.purgeSigningSecrets(2)).toBe(0);
        expect(await installations.signingSecrets(store.id, installation.id)).toEqual(['fifth', 'fourth']);
      });
    });
    describe('signingSecrets', () => {
      it('Returns the sealed signing secrets that are valid now, newest first.', async () => {
        const { installations } = world.ports;
        for (const sealed of ['second', 'third']) {
          await installations.rotateSigningSecret(store.id, installation.id, { id: world.ids.next(), sealed }, 100);
        }
        expect(await installations.signingSecrets(store.id, installation.id)).toEqual(['third', 'second', 'sealed']);
        await world.pass(100);
        expect(await installations.signingSecrets(store.id, installation.id)).toEqual(['third']);
      });
    });
    describe('credentials', () => {
      it('Returns what the token route checks of the client on the store of this domain.', async () => {
        expect(await world.ports.installations.credentials(installation.clientId, store.domain)).toEqual({
          storeId: store.id,
          installationId: installation.id,
          platformAppId: null,
          scopes: installation.scopes,
          status: 'Installed',
          storeStatus: 'Active',
          secretHashes: [firstHash],
        });
      });
      it('Returns null when the client does not exist.', async () => {
        expect(await world.ports.installations.credentials('nobody', store.domain)).toBeNull();
      });
      it('Returns null when the client belongs to another store.', async () => {
        const { installations } = world.ports;
        const of = async (domain: string) => (await installations.credentials(installation.clientId, domain))?.installationId;
        expect(await of((await aStore(world)).domain)).toBeUndefined();
        expect(await of(store.domain)).toBe(installation.id);
        const { moved } = await aMove(world, store);
        expect([await of(store.domain), await of(moved)]).toEqual([undefined, installation.id]);
      });
      it('The client of a platform app is its installation on the store, with the secrets of the app.', async () => {
        const app = await aPlatformApp(world);
        const installed = await anInstallationOf(world, store.id, app);
        expect(await world.ports.installations.credentials(app.clientId, store.domain)).toEqual({
          storeId: store.id,
          installationId: installed.id,
          platformAppId: app.id,
          scopes: installed.scopes,
          status: 'Installed',
          storeStatus: 'Active',
          secretHashes: [hashOf(`${app.id.slice(-12)} first`)],
        });
      });
      it('Returns null when the platform app is not installed on the store.', async () => {
        const app = await aPlatformApp(world);
        const installed = await anInstallationOf(world, store.id, app);
        const of = (domain: string) => world.ports.installations.credentials(app.clientId, domain);
        expect(await of((await aStore(world)).domain)).toBeNull();
        await uninstall(store.id, installed.id);
        expect(await of(store.domain)).toBeNull();
        const again = await anInstallationOf(world, store.id, app);
        expect(await of(store.domain)).toMatchObject({ installationId: again.id });
      });
    });
    describe('previewUninstall', () => {
      const preview = () => world.ports.installations.previewUninstall(store.id, installation.id);

      it('Counts what an uninstall would end now, and changes nothing.', async () => {
        const { statuses } = await aStoppable(world, installation);
        const other = await anInstallation(world, (await aStore(world)).id);
        await aStoppable(world, other);
        await world.tokens(other.id, 1);
        await world.tokens(installation.id, 2);
        await world.tokens(installation.id, 1);
        await anImport(world, installation);
        const counts = { deliveries: 2, subscriptions: 1, tokens: 3, mediaImports: 1, isComplete: true };
        expect(await preview()).toEqual(counts);
        expect(await preview()).toEqual(counts);
        expect(await statuses()).toEqual({ 'order.paid': 'Waiting', 'product.updated': 'Waiting' });
        await world.pass(7_200);
        expect(await preview()).toEqual({ ...counts, tokens: 0 });
      });
      it('Counts at most 100,000 of each kind, and is incomplete when there are more.', async () => {
        await world.tokens(installation.id, MAX_PREVIEWED);
        expect(await preview()).toMatchObject({ tokens: 100_000, isComplete: true });
        await world.tokens(installation.id, 1);
        expect(await preview()).toMatchObject({ tokens: 100_000, isComplete: false });
      });
      it('Returns zeros when the app was uninstalled.', async () => {
        await aStoppable(world, installation);
        await world.tokens(installation.id, 1);
        await anImport(world, installation);
        await world.ports.transaction.run(null, async (tx) => {
          await tx.installations.uninstall(store.id, installation.id);
          await tx.mediaImports.endAll({ storeId: installation.storeId, installationId: installation.id });
        });
        expect(await preview()).toEqual({ deliveries: 0, subscriptions: 0, tokens: 0, mediaImports: 0, isComplete: true });
      });
      it('Returns null when the store does not have the installation.', async () => {
        expect(await world.ports.installations.previewUninstall(store.id, world.ids.next())).toBeNull();
        expect(await world.ports.installations.previewUninstall((await aStore(world)).id, installation.id)).toBeNull();
      });
    });
    describe('share', () => {
      const share = (storeId = store.id, id = installation.id) =>
        world.ports.transaction.run(null, (tx) => tx.installations.share(storeId, id));
      it('Keeps the installation from being uninstalled until the transaction ends, but not other transactions from sharing it.', async () => {
        const order = await lockOrder(
          world.ports.transaction,
          async (tx) => {
            expect(await tx.installations.share(store.id, installation.id)).toBe(true);
            expect(await share()).toBe(true);
          },
          (tx) => tx.installations.uninstall(store.id, installation.id),
        );
        expect(order).toEqual(WAITS);
      });
      it('Returns false when it was uninstalled, or the store does not have it.', async () => {
        expect(await share((await aStore(world)).id)).toBe(false);
        expect(await share(store.id, world.ids.next())).toBe(false);
        await uninstall();
        expect(await share()).toBe(false);
      });
      it('Waits for an uninstall that runs, and returns false after it.', async () => {
        let shared: unknown;
        const order = await lockOrder(
          world.ports.transaction,
          (tx) => tx.installations.uninstall(store.id, installation.id),
          async (tx) => {
            shared = await tx.installations.share(store.id, installation.id);
          },
        );
        expect([order, shared]).toEqual([WAITS, false]);
      });
    });

    describe('uninstall', () => {
      it('Marks the installation as uninstalled.', async () => {
        const after = { ...installation, status: 'Uninstalled', updatedAt: TIME, uninstalledAt: TIME };
        expect(await uninstall()).toEqual({ installation: after, changed: true });
        expect(await world.ports.installations.get(store.id, installation.id)).toEqual(after);
      });
      it('Makes its tokens and console sessions invalid.', async () => {
        const token = hashOf(installation.id.slice(-12));
        await world.ports.tokens.issue(store.id, installation.id, token);
        await world.ports.appConsoleSessions.start(store.id, installation.id, token);
        expect([await isValid(token), await sessionOf(world, token, store.domain)]).toEqual([true, 'ok']);
        await uninstall();
        expect([await isValid(token), await sessionOf(world, token, store.domain)]).toEqual([false, 'uninstalled']);
      });
      it('Removes its subscriptions, and leaves its idempotency records to the purge.', async () => {
        const other = await anInstallation(world, store.id);
        for (const one of [installation, other]) await world.aSubscriptionAndAKey(one);
        await uninstall();
        expect(await world.owned(installation.id)).toBe(1);
        expect(await world.ports.idempotency.purge(100)).toBe(1);
        expect(await world.owned(installation.id)).toBe(0);
        expect(await world.owned(other.id)).toBe(2);
      });
      it('Stops its attempts in flight and ends its queued deliveries as Dropped.', async () => {
        const { statuses, whileLeased, subscription } = await aStoppable(world, installation);
        await whileLeased(() => uninstall());
        expect(await statuses()).toEqual({ 'order.paid': 'Dropped', 'product.updated': 'Dropped' });
        expect(await world.leases.acquire('deliveries', { storeId: store.id, id: subscription.subscriptionId })).toBeNull();
      });
      it('Leaves ended deliveries as they are.', async () => {
        const { statuses, subscription } = await aStoppable(world, installation);
        const [first] = await world.ports.deliveries.due(subscription, 1, []);
        const seen = {
          startedAt: 0,
          durationMs: 7,
          waitedMs: null,
          status: 200,
          address: '192.0.2.1',
          error: null,
          response: '',
          signature: null,
          gap: null,
        };
        const attempt = {
          ...seen,
          storeId: subscription.storeId,
          deliveryId: first?.id ?? '',
          number: 1,
          verdict: { kind: 'delivered' },
        } as const;
        await world.ports.deliveries.settle([attempt], []);
        await uninstall();
        expect(Object.values(await statuses()).sort()).toEqual(['Delivered', 'Dropped']);
      });
      it('Does nothing and returns that nothing changed when the app was uninstalled before.', async () => {
        const first = await uninstall();
        expect(await uninstall()).toEqual({ installation: first?.installation, changed: false });
      });
      it('Changes nothing when the transaction fails.', async () => {
        await world.aSubscriptionAndAKey(installation);
        const failure = new Error('on purpose');
        const work = world.ports.transaction.run(null, async (tx) => {
          await tx.installations.uninstall(store.id, installation.id);
          throw failure;
        });
        await expect(work).rejects.toBe(failure);
        expect(await world.ports.installations.get(store.id, installation.id)).toEqual(installation);
        expect(await world.owned(installation.id)).toBe(2);
      });
      it('Returns null when the store does not have the installation.', async () => {
        expect(await uninstall(store.id, world.ids.next())).toBeNull();
        expect(await uninstall((await aStore(world)).id)).toBeNull();
        expect(await world.ports.installations.get(store.id, installation.id)).toEqual(installation);
      });
    });
  });
};
