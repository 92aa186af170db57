import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { PlatformApp } from '../../src/domain/identity/platform-app.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import type { KeptRefusal } from '../../src/domain/insight/refused-request.ts';
import type { PlacedPage } from '../../src/domain/page.ts';
import {
  MAX_WATCHED,
  type PlatformAppRepository,
  type WatchFilter,
} from '../../src/domain/ports/identity/platform-app-repository.ts';
import { beforeAll } from './hooks.ts';
import { admissionOf, anInstallationOf, aPlatformApp, aStore, hashOf, sessionOf, type IdentityWorld } from './identity-worlds.ts';
import { aStoppable } from './stopping.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

export const platformAppRepositoryContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`PlatformAppRepository on ${name}`, () => {
    let world: IdentityWorld;
    let apps: PlatformAppRepository;
    let app: PlatformApp;
    let store: Store;
    let other: Store;
    let firstHash: string;
    beforeAll(async () => {
      world = await open();
      apps = world.ports.platformApps;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      app = await aPlatformApp(world);
      [store, other] = [await aStore(world), await aStore(world)];
      firstHash = hashOf(`${app.id.slice(-12)} first`);
    });
    const secret = (text: string) => ({ id: world.ids.next(), hash: hashOf(`${app.id.slice(-12)} ${text}`) });
    const sealed = (text: string) => ({ id: world.ids.next(), sealed: text });
    const hashes = async ({ domain }: Store) => {
      const client = await world.ports.installations.credentials(app.clientId, domain);
      return [...(client?.secretHashes ?? [])].sort();
    };
    /** The secrets that sign what is sent to the app's subscription on the store. */
    const signing = async (of: Store) => {
      const installed = await anInstallationOf(world, of.id, app, ['write_products', 'read_orders']);
      const { subscription } = await aStoppable(world, installed);
      const target = await world.ports.deliveries.target(subscription);
      expect(target?.secretsOf).toBe(app.id);
      return target?.secrets;
    };

    /** The subscription that is the event address of the app on the store. */
    const addressOn = async (of: Store) =>
      (await world.ports.subscriptions.watch(of.id, { skip: 0, take: 50 }))?.items.find((one) => one.platformAppId === app.id);

    describe('create', () => {
      it('Creates an active app with its first secrets.', async () => {
        expect(app).toEqual({
          id: app.id,
          name: 'Platform app',
          clientId: app.id,
          redirectUrls: ['https://app.test/installed'],
          scopes: ['write_products'],
          optionalScopes: ['read_orders'],
          eventUrl: null,
          status: 'Active',
          createdAt: TIME,
          updatedAt: null,
          previousClientSecretExpiresAt: null,
          previousSigningSecretExpiresAt: null,
        });
        expect(await apps.get(app.id)).toEqual(app);
        await anInstallationOf(world, store.id, app);
        expect(await hashes(store)).toEqual([firstHash]);
        expect(await signing(other)).toEqual(['sealed']);
      });
    });
    describe('get', () => {
      it('Returns the app.', async () => {
        expect(await apps.get(app.id)).toEqual(app);
      });
      it('Shows until when an older client secret and an older signing secret are valid, and null where only the newest is.', async () => {
        const client = await apps.rotateClientSecret(app.id, secret('second'), 300);
        const signer = await apps.rotateSigningSecret(app.id, sealed('second'), 300);
        expect(await apps.get(app.id)).toEqual({
          ...app,
          previousClientSecretExpiresAt: client?.previousExpiresAt,
          previousSigningSecretExpiresAt: signer?.previousExpiresAt,
        });
        await world.pass(300);
        expect(await apps.get(app.id)).toEqual(app);
      });
      it('Returns null when the app does not exist.', async () => {
        expect(await apps.get(world.ids.next())).toBeNull();
      });
    });
    describe('byClientId', () => {
      it('Returns the app of this client id.', async () => {
        const second = await aPlatformApp(world, { clientId: `client ${app.id}` });
        expect(await apps.byClientId(`client ${app.id}`)).toEqual(second);
      });
      it('Returns null when no app has it.', async () => {
        expect(await apps.byClientId('nobody')).toBeNull();
      });
    });
    describe('secrets', () => {
      const hashes = async (clientId: string) => (await apps.secrets(clientId))?.secretHashes;
      it('Returns the app of this client id, with the hashes of its client secrets that are valid.', async () => {
        const [first, second] = [hashOf(`${app.id.slice(-12)} first`), hashOf(`${app.id.slice(-12)} second`)];
        expect(await apps.secrets(app.clientId)).toEqual({ app, secretHashes: [first] });
        await apps.rotateClientSecret(app.id, { id: world.ids.next(), hash: second }, 60);
        expect((await hashes(app.clientId))?.toSorted()).toEqual([first, second]);
        await world.pass(61);
        expect(await hashes(app.clientId)).toEqual([second]);
      });
      it('Returns null when no app has it.', async () => {
        expect(await apps.secrets('nobody')).toBeNull();
      });
    });
    describe('list', () => {
      it('Returns a page of all apps by creation, then id.', async () => {
        const second = await aPlatformApp(world);
        const { items, total } = await apps.list({ skip: 0, take: 200 });
        expect([items.length, items.slice(-2)]).toEqual([total, [app, second]]);
        expect(await apps.list({ skip: total - 2, take: 1 })).toMatchObject({ items: [app], total });
      });
      it('Begins behind the place, if one is given.', async () => {
        const { items, next } = await apps.list({ skip: 0, take: 1 });
        const { items: rest } = await apps.list({ skip: 0, take: 200, after: next ?? undefined });
        expect([...items, ...rest]).toEqual((await apps.list({ skip: 0, take: 200 })).items);
      });
    });
    describe('update', () => {
      const token = async (of: Store): Promise<string> => {
        const client = await world.ports.installations.credentials(app.clientId, of.domain);
        const hash = hashOf(world.ids.next().slice(-30));
        const issued = await world.ports.tokens.issue(of.id, client?.installationId ?? '', hash);
        return issued === null ? 'none' : hash;
      };
      it('Changes the given fields and sets updatedAt.', async () => {
        const changes = { redirectUrls: ['https://b.test/'], scopes: ['read_content' as const], optionalScopes: [] };
        expect(await apps.update(app.id, changes)).toEqual({ ...app, ...changes, updatedAt: TIME });
        expect(await apps.update(app.id, { status: 'Suspended' })).toEqual({
          ...app,
          ...changes,
          status: 'Suspended',
          updatedAt: TIME,
        });
      });
      it('A scope that is required is not optional as well.', async () => {
        const required = await apps.update(app.id, { scopes: ['read_orders', 'write_products'] });
        expect(required).toMatchObject({ scopes: ['read_orders', 'write_products'], optionalScopes: [] });
        const optional = await apps.update(app.id, { optionalScopes: ['read_content', 'read_orders', 'write_content'] });
        expect(optional).toMatchObject({
          scopes: ['read_orders', 'write_products'],
          optionalScopes: ['read_content', 'write_content'],
        });
      });
      it('A new name is also that of its installations.', async () => {
        const installed = await anInstallationOf(world, store.id, app);
        expect(await apps.update(app.id, { name: 'New' })).toMatchObject({ name: 'New' });
        expect(await world.ports.installations.get(store.id, installed.id)).toEqual({ ...installed, name: 'New' });
      });
      it('A suspended app may not call on any store, and what is queued for it is held.', async () => {
        const installed = await anInstallationOf(world, store.id, app, ['write_products', 'read_orders']);
        await anInstallationOf(world, other.id, app);
        const { subscription, statuses } = await aStoppable(world, installed);
        const tokens = [await token(store), await token(other)];
        const session = hashOf(`session ${installed.id.slice(-20)}`);
        expect(await world.ports.appConsoleSessions.start(store.id, installed.id, session)).toBe(true);
        await apps.update(app.id, { status: 'Suspended' });
        expect(await admissionOf(world, tokens[0] ?? '', store.domain)).toBe('suspended');
        expect(await admissionOf(world, tokens[1] ?? '', other.domain)).toBe('suspended');
        expect(await sessionOf(world, session, store.domain)).toBe('suspended');
        expect(await token(store)).toBe('none');
        expect(await world.ports.appConsoleSessions.start(store.id, installed.id, session)).toBe(false);
        expect(await world.ports.installations.credentials(app.clientId, other.domain)).toMatchObject({ status: 'Suspended' });
        const { installations } = world.ports;
        expect(await installations.get(store.id, installed.id)).toMatchObject({ status: 'Suspended' });
        expect(await installations.list(store.id, { skip: 0, take: 9 }, { statuses: ['Suspended'] })).toMatchObject({ total: 1 });
        expect(await world.ports.deliveries.target(subscription)).toMatchObject({ held: true });
        expect(await statuses()).toEqual({ 'order.paid': 'Waiting', 'product.updated': 'Waiting' });
        const watched = await world.ports.subscriptions.watch(store.id, { skip: 0, take: 1 });
        expect(watched?.items).toMatchObject([{ health: { notDeliverableBecause: ['app_suspended'] } }]);
      });
      it('Tokens and console sessions from before a suspension stay revoked when the app is active again.', async () => {
        const installed = await anInstallationOf(world, store.id, app);
        const before = await token(store);
        const session = hashOf(`session ${installed.id.slice(-20)}`);
        const link = hashOf(`link ${installed.id.slice(-20)}`);
        await world.ports.appConsoleSessions.createCode(store.id, installed.id, link);
        await world.ports.appConsoleSessions.start(store.id, installed.id, session);
        expect(await admissionOf(world, before, store.domain)).toBe('ok');
        await apps.update(app.id, { status: 'Suspended' });
        // A change of something else, and a second suspension, end nothing more.
        await apps.update(app.id, { name: 'New' });
        await apps.update(app.id, { status: 'Active' });
        expect(await admissionOf(world, before, store.domain)).toBe('revoked');
        expect(await sessionOf(world, session, store.domain)).toBe('revoked');
        expect(await world.ports.appConsoleSessions.exchange(link, hashOf(`late ${link}`), store.domain)).toBe(false);
        const after = await token(store);
        expect(await admissionOf(world, after, store.domain)).toBe('ok');
        await apps.update(app.id, { status: 'Active' });
        expect(await admissionOf(world, after, store.domain)).toBe('ok');
        // Also where all of it takes about a millisecond.
        for (let round = 0; round < 20; round += 1) {
          const brief = await token(store);
          await apps.update(app.id, { status: 'Suspended' });
          await apps.update(app.id, { status: 'Active' });
          const [late, next] = [await admissionOf(world, brief, store.domain), await token(store)];
          expect([late, await admissionOf(world, next, store.domain)]).toEqual(['revoked', 'ok']);
        }
      });
      it('A new event address is that of all stores, and of what waits for it.', async () => {
        const installed = await anInstallationOf(world, store.id, app);
        await anInstallationOf(world, other.id, app);
        expect(await apps.update(app.id, { eventUrl: 'https://app.test/a' })).toMatchObject({ eventUrl: 'https://app.test/a' });
        const addresses = await Promise.all([addressOn(store), addressOn(other)]);
        expect(addresses).toMatchObject([{ url: 'https://app.test/a' }, { url: 'https://app.test/a' }]);
        await world.ports.appLife.record(9, app.id);
        await world.ports.deliveries.fanOut(store.id, 9);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, installed.id));
        await apps.update(app.id, { eventUrl: 'https://app.test/b' });
        const key = { storeId: store.id, subscriptionId: addresses[0]?.id ?? '' };
        expect(await world.ports.deliveries.target(key)).toMatchObject({
          url: 'https://app.test/b',
          secretsOf: app.id,
          held: false,
        });
        expect(await world.ports.deliveries.due(key, 9, [])).toHaveLength(1);
        expect(await addressOn(other)).toMatchObject({ id: addresses[1]?.id, url: 'https://app.test/b' });
      });
      it('Without an address, what waits is dropped.', async () => {
        await apps.update(app.id, { eventUrl: 'https://app.test/a' });
        await anInstallationOf(world, store.id, app);
        const key = { storeId: store.id, subscriptionId: (await addressOn(store))?.id ?? '' };
        await world.ports.appLife.record(9, app.id);
        await world.ports.deliveries.fanOut(store.id, 9);
        expect(await apps.update(app.id, { eventUrl: null })).toMatchObject({ eventUrl: null });
        expect(await addressOn(store)).toBeUndefined();
        const log = await world.ports.deliveryLog.list(
          store.id,
          { subscriptionId: key.subscriptionId },
          { after: null, take: 9 },
        );
        expect(log?.items).toMatchObject([{ eventType: 'app.installed', status: 'Dropped' }]);
      });
      it('Of two changes at the same time, each store has the address of the later one.', async () => {
        await apps.update(app.id, { eventUrl: 'https://app.test/a' });
        for (const of of [store, other]) await anInstallationOf(world, of.id, app);
        for (const eventUrls of [
          [null, 'https://app.test/b'],
          ['https://app.test/c', null],
        ]) {
          await Promise.all(eventUrls.map((eventUrl) => apps.update(app.id, { eventUrl })));
          const { eventUrl } = (await apps.get(app.id)) ?? {};
          for (const of of [store, other]) expect((await addressOn(of))?.url ?? null).toBe(eventUrl);
        }
      });
      it('Returns null when the app does not exist.', async () => {
        expect(await apps.update(world.ids.next(), { name: 'x' })).toBeNull();
      });
    });

    describe('deactivatedAddresses', () => {
      it("Returns the subscriptions that are the app's event address on its stores, and that are deactivated.", async () => {
        await apps.update(app.id, { eventUrl: 'https://app.test/a' });
        for (const of of [store, other]) await anInstallationOf(world, of.id, app);
        expect(await apps.deactivatedAddresses(app.id)).toEqual([]);
        const key = { storeId: other.id, subscriptionId: (await addressOn(other))?.id ?? '' };
        const health = { failures: 10, failingForSeconds: 60, probeInSeconds: null, deactivates: true };
        await world.ports.deliveries.settle([], [{ ...key, ...health }]);
        expect(await apps.deactivatedAddresses(app.id)).toEqual([key]);
      });
    });

    describe('rotateClientSecret', () => {
      beforeEach(async () => {
        await anInstallationOf(world, store.id, app);
        await anInstallationOf(world, other.id, app);
      });
      it('Adds the secret, for all installations.', async () => {
        const second = secret('second');
        await apps.rotateClientSecret(app.id, second, 300);
        for (const of of [store, other]) expect(await hashes(of)).toEqual([firstHash, second.hash].sort());
      });
      it('Older secrets end after the overlap, in seconds.', async () => {
        const second = secret('second');
        await apps.rotateClientSecret(app.id, second, 300);
        await world.pass(300);
        expect(await hashes(store)).toEqual([second.hash]);
      });
      it('An older secret that ends earlier keeps its end.', async () => {
        await apps.rotateClientSecret(app.id, secret('second'), 100);
        await apps.rotateClientSecret(app.id, secret('third'), 300);
        await world.pass(100);
        expect(await hashes(store)).not.toContain(firstHash);
      });
      it('An overlap of 0 ends the older secrets now.', async () => {
        const second = secret('second');
        await apps.rotateClientSecret(app.id, second, 0);
        expect(await hashes(other)).toEqual([second.hash]);
      });
      it('The console sessions of its installations end after the overlap at the latest.', async () => {
        const { installationId = '' } = (await world.ports.installations.credentials(app.clientId, store.domain)) ?? {};
        const session = hashOf(`session ${installationId.slice(-20)}`);
        await world.ports.appConsoleSessions.start(store.id, installationId, session);
        await apps.rotateClientSecret(app.id, secret('second'), 300);
        expect(await sessionOf(world, session, store.domain)).toBe('ok');
        await apps.rotateClientSecret(app.id, secret('third'), 0);
        expect(await sessionOf(world, session, store.domain)).toBe('expired');
      });
      it('Returns null when the app does not exist.', async () => {
        expect(await apps.rotateClientSecret(world.ids.next(), secret('x'), 0)).toBeNull();
      });
    });
    describe('rotateSigningSecret', () => {
      it('Adds the secret, for all installations.', async () => {
        await apps.rotateSigningSecret(app.id, sealed('second'), 300);
        for (const of of [store, other]) expect(await signing(of)).toEqual(['second', 'sealed']);
      });
      it('Older secrets end after the overlap, in seconds.', async () => {
        await apps.rotateSigningSecret(app.id, sealed('second'), 300);
        await world.pass(300);
        expect(await signing(store)).toEqual(['second']);
      });
      it('An older secret that ends earlier keeps its end.', async () => {
        await apps.rotateSigningSecret(app.id, sealed('second'), 100);
        await apps.rotateSigningSecret(app.id, sealed('third'), 300);
        await world.pass(100);
        expect(await signing(store)).toEqual(['third', 'second']);
      });
      it('An overlap of 0 ends the older secrets now.', async () => {
        await apps.rotateSigningSecret(app.id, sealed('second'), 0);
        expect(await signing(store)).toEqual(['second']);
      });
      it('Returns null when the app does not exist.', async () => {
        expect(await apps.rotateSigningSecret(world.ids.next(), sealed('x'), 0)).toBeNull();
      });
    });
    describe('purgeSigningSecrets', () => {
      it('Deletes at most `limit` signing secrets that have expired, and returns how many.', async () => {
        await apps.purgeSigningSecrets(1_000);
        for (const text of ['second', 'third', 'fourth']) await apps.rotateSigningSecret(app.id, sealed(text), 100);
        expect(await apps.purgeSigningSecrets(10)).toBe(0);
        await world.pass(100);
        expect(await apps.purgeSigningSecrets(2)).toBe(2);
        expect(await apps.purgeSigningSecrets(2)).toBe(1);
        await apps.rotateSigningSecret(app.id, sealed('fifth'), 100);
        expect(await apps.purgeSigningSecrets(2)).toBe(0);
        expect(await signing(store)).toEqual(['fifth', 'fourth']);
      });
    });

    describe('installations', () => {
      it("Returns a page of the app's installations on all stores by creation, then id, also those that were uninstalled.", async () => {
        const first = await anInstallationOf(world, store.id, app);
        const second = await anInstallationOf(world, other.id, app);
        await anInstallationOf(world, other.id, await aPlatformApp(world));
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, first.id));
        const page = await apps.installations(app.id, { skip: 0, take: 9 });
        expect([page?.total, page?.items]).toMatchObject([2, [{ id: first.id, status: 'Uninstalled' }, second]]);
        await apps.update(app.id, { status: 'Suspended' });
        expect(await apps.installations(app.id, { skip: 1, take: 9 })).toMatchObject({ items: [{ status: 'Suspended' }] });
      });
      it('Begins behind the place, if one is given.', async () => {
        await anInstallationOf(world, store.id, app);
        const second = await anInstallationOf(world, other.id, app);
        const next = (await apps.installations(app.id, { skip: 0, take: 1 }))?.next ?? undefined;
        expect((await apps.installations(app.id, { skip: 0, take: 1, after: next }))?.items).toEqual([second]);
      });
      it('Returns null when the app does not exist.', async () => {
        expect(await apps.installations(world.ids.next(), { skip: 0, take: 1 })).toBeNull();
      });
    });
    describe('watch', () => {
      const ALL = { since: 0 };
      const watch = (filter: WatchFilter = ALL, page: PlacedPage = { skip: 0, take: 9 }) => apps.watch(app.id, page, filter);
      const refusal = (installationId: string, more: Partial<KeptRefusal> = {}): KeptRefusal => ({
        ...{ id: randomUUID(), at: Date.now(), route: 'GET /apps/events', status: 403, code: null, reason: 'r', check: 'scope' },
        ...{ storeId: store.id, host: store.domain, installationId, durationMs: 1, leftOut: 0, ...more },
      });
      it("Returns a page of the app's installations on all stores by creation, then id, also those that were uninstalled.", async () => {
        const first = await anInstallationOf(world, store.id, app);
        const second = await anInstallationOf(world, other.id, app);
        await anInstallationOf(world, other.id, await aPlatformApp(world));
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, first.id));
        expect(await watch()).toMatchObject({
          total: 2,
          items: [
            { id: first.id, storeId: store.id, status: 'Uninstalled', uninstalledAt: TIME },
            {
              ...{ id: second.id, storeId: other.id, scopes: second.scopes, status: 'Installed', uninstalledAt: null },
              store: { domain: other.domain, name: other.name, status: 'Active', sandboxAppId: null },
              deliveries: { delivered: 0, failing: 0, waiting: 0, isComplete: true },
              refusals: { count: 0, isComplete: true },
            },
          ],
        });
      });
      it('Leaves out stores that are being erased.', async () => {
        await anInstallationOf(world, store.id, app);
        await world.ports.storeErasure.accept(store.id, store.domain);
        expect(await watch()).toMatchObject({ total: 0, items: [] });
      });
      it('Returns only installations that match the filter.', async () => {
        await anInstallationOf(world, store.id, app);
        const second = await anInstallationOf(world, other.id, app);
        await world.ports.stores.update(other.id, { name: 'Sunrise Tools' });
        for (const q of [other.domain.slice(0, -5).toUpperCase(), 'rise t'])
          expect(await watch({ ...ALL, q })).toMatchObject({ total: 1, items: [{ id: second.id }], next: null });
        expect(await watch({ ...ALL, q: '%' })).toMatchObject({ total: 0, items: [] });
      });
      it('Neither shows the store of one that was uninstalled, nor finds it by that.', async () => {
        const first = await anInstallationOf(world, store.id, app);
        const second = await anInstallationOf(world, other.id, app);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, first.id));
        await world.ports.stores.update(store.id, { name: 'Sunset Tools' });
        expect((await watch()).items).toMatchObject([
          { id: first.id, store: null },
          { id: second.id, store: { name: other.name } },
        ]);
        for (const q of ['sunset', store.domain]) expect(await watch({ ...ALL, q })).toMatchObject({ total: 0, items: [] });
      });
      it('Begins behind the place, if one is given.', async () => {
        await anInstallationOf(world, store.id, app);
        const second = await anInstallationOf(world, other.id, app);
        const { next } = await watch(ALL, { skip: 0, take: 1 });
        expect(await watch(ALL, { skip: 0, take: 1, after: next ?? undefined })).toMatchObject({
          total: 2,
          items: [{ id: second.id }],
          next: null,
        });
      });
      it('Counts the newest 1,000 deliveries since the time by their state.', async () => {
        const installed = await anInstallationOf(world, store.id, app, ['write_products', 'read_orders']);
        await anInstallationOf(world, other.id, app);
        const { subscription } = await aStoppable(world, installed);
        const seen = { startedAt: 0, durationMs: 7, waitedMs: null, address: null, response: null, signature: null, gap: null };
        const [first] = await world.ports.deliveries.due(subscription, 1, []);
        const ids = { storeId: store.id, deliveryId: first?.id ?? '', number: 1 };
        const failed = { ...seen, ...ids, status: null, error: 'timeout', verdict: { kind: 'retry', inSeconds: 60 } } as const;
        const counts = async (since = 0) => (await watch({ since })).items.map(({ deliveries }) => deliveries);
        const none = { delivered: 0, failing: 0, waiting: 0, isComplete: true };
        expect(await counts()).toEqual([{ ...none, waiting: 2 }, none]);
        await world.ports.deliveries.settle([failed], []);
        expect(await counts()).toEqual([{ ...none, waiting: 1, failing: 1 }, none]);
        const [second] = await world.ports.deliveries.due(subscription, 1, []);
        const arrived = {
          ...seen,
          ...ids,
          deliveryId: second?.id ?? '',
          status: 200,
          error: null,
          verdict: { kind: 'delivered' },
        } as const;
        await world.ports.deliveries.settle([arrived], []);
        expect(await counts()).toEqual([{ ...none, delivered: 1, failing: 1 }, none]);
        expect(await counts(Date.now() + 3_600_000)).toEqual([none, none]);
      });
      it('Counts the newest 1,000 refusals since the time, with those that the log leaves out.', async () => {
        const installed = await anInstallationOf(world, store.id, app);
        const sibling = await anInstallationOf(world, store.id, await aPlatformApp(world));
        await world.ports.requestLog.write([
          refusal(installed.id, { leftOut: 4 }),
          refusal(installed.id),
          refusal(installed.id, { at: Date.now() - 60_000 }),
          refusal(sibling.id),
        ]);
        expect((await watch({ since: Date.now() - 30_000 })).items).toMatchObject([{ refusals: { count: 6, isComplete: true } }]);
      });
      it('A count is complete when there were fewer.', async () => {
        const installed = await anInstallationOf(world, store.id, app);
        const isComplete = async () => (await watch()).items[0]?.refusals.isComplete;
        await world.ports.requestLog.write(Array.from({ length: MAX_WATCHED - 1 }, () => refusal(installed.id)));
        expect(await isComplete()).toBe(true);
        await world.ports.requestLog.write([refusal(installed.id), refusal(installed.id)]);
        expect((await watch()).items).toMatchObject([{ refusals: { count: MAX_WATCHED, isComplete: false } }]);
      });
    });
    describe('onStore', () => {
      it('Returns the installation on the store.', async () => {
        const installed = await anInstallationOf(world, store.id, app);
        await anInstallationOf(world, other.id, app);
        expect(await apps.onStore(app.id, store.id)).toEqual(installed);
      });
      it('Returns null when the app is not installed there.', async () => {
        expect(await apps.onStore(app.id, store.id)).toBeNull();
        const installed = await anInstallationOf(world, store.id, app);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, installed.id));
        expect(await apps.onStore(app.id, store.id)).toBeNull();
      });
    });
    describe('beyondManifest', () => {
      it('Returns at most `limit` installations that have a scope which the app does not ask for.', async () => {
        const all = ['read_orders', 'write_products'] as const;
        const installed = [await anInstallationOf(world, store.id, app, all), await anInstallationOf(world, other.id, app)];
        expect(await apps.beyondManifest(app.id, 9)).toEqual([]);
        await apps.update(app.id, { optionalScopes: [] });
        expect(await apps.beyondManifest(app.id, 9)).toEqual([installed[0]]);
        await apps.update(app.id, { scopes: ['read_products'] });
        expect(await apps.beyondManifest(app.id, 9)).toEqual(installed);
        expect(await apps.beyondManifest(app.id, 1)).toEqual([installed[0]]);
      });
      it('Leaves out those that were uninstalled.', async () => {
        const installed = await anInstallationOf(world, store.id, app);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(store.id, installed.id));
        await apps.update(app.id, { scopes: [] });
        expect(await apps.beyondManifest(app.id, 9)).toEqual([]);
      });
      it('An app that asks for a write_ scope asks for its read_ scope.', async () => {
        const reading = await aPlatformApp(world, { scopes: ['read_products'], optionalScopes: [] });
        const installed = await anInstallationOf(world, store.id, reading);
        await apps.update(reading.id, { scopes: ['write_products'] });
        expect(await apps.beyondManifest(reading.id, 9)).toEqual([]);
        await apps.update(reading.id, { scopes: ['write_collections'] });
        expect(await apps.beyondManifest(reading.id, 9)).toEqual([installed]);
      });
    });
  });
};
