import { describe, expect, it } from 'vitest';

import type { Installation } from '../../src/domain/identity/installation.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import { aStore, anInstallation, hashOf, useTenancy } from './identity-worlds.ts';
import type { IdentityWorld } from './identity-worlds.ts';
import { aStoppable } from './stopping.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

export const installationRepositoryContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`installation-repository: ${name}`, () => {
    let world: IdentityWorld;
    let store: Store;
    let installation: Installation;
    let firstHash: string;
    useTenancy(open, (tenancy) => {
      ({ world, store, installation } = tenancy);
      firstHash = hashOf(`${installation.id.slice(-12)} first`);
    });
    const hashes = async () => (await world.ports.installations.credentials(installation.clientId, store.domain))?.secretHashes;
    const uninstall = (id = installation.id) => world.ports.transaction.run((tx) => tx.installations.uninstall(id));
    const secret = (text: string) => ({ id: world.ids.next(), hash: hashOf(`${installation.id.slice(-12)} ${text}`) });

    it('creates an installed app with its first secrets', async () => {
      expect(installation).toEqual({
        id: installation.id,
        storeId: store.id,
        name: 'App',
        clientId: installation.id,
        scopes: ['read_orders', 'write_products'],
        status: 'Installed',
        createdAt: TIME,
        updatedAt: null,
        uninstalledAt: null,
      });
      expect(await world.ports.installations.get(installation.id)).toEqual(installation);
      expect(await hashes()).toEqual([firstHash]);
      expect(await world.ports.installations.signingSecrets(installation.id)).toEqual(['sealed']);
    });
    it('create: null, and nothing is written, when there is no such store', async () => {
      const id = world.ids.next();
      const given = { id, storeId: world.ids.next(), name: 'x', clientId: id, scopes: [] };
      const signingSecret = { id: world.ids.next(), sealed: 's' };
      expect(await world.ports.installations.create({ ...given, clientSecret: secret('x'), signingSecret })).toBeNull();
      expect(await world.ports.installations.get(id)).toBeNull();
    });
    it('null when there is no such installation', async () => {
      const { installations } = world.ports;
      const id = world.ids.next();
      expect(await installations.get(id)).toBeNull();
      expect(await installations.update(id, { name: 'x' })).toBeNull();
      expect(await installations.rotateClientSecret(id, secret('x'), 0)).toBeNull();
      expect(await installations.rotateSigningSecret(id, { id: world.ids.next(), sealed: 's' }, 0)).toBeNull();
      expect(await uninstall(id)).toBeNull();
    });
    it('lists a page of the store by creation, then id, the uninstalled included', async () => {
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
    it('list: null when there is no such store', async () => {
      expect(await world.ports.installations.list(world.ids.next(), { skip: 0, take: 1 })).toBeNull();
    });
    it('changes what is given and sets updatedAt', async () => {
      const { installations } = world.ports;
      const updated = await installations.update(installation.id, { scopes: [] });
      expect(updated).toEqual({ ...installation, scopes: [], updatedAt: TIME });
      expect(await installations.update(installation.id, { name: 'B', status: 'Suspended' })).toMatchObject({
        name: 'B',
        scopes: [],
        status: 'Suspended',
      });
    });
    it('uninstalled, and nothing changes, when it is final', async () => {
      const { installations } = world.ports;
      await uninstall();
      const before = await installations.get(installation.id);
      expect(await installations.update(installation.id, { status: 'Installed' })).toBe('uninstalled');
      expect(await installations.rotateClientSecret(installation.id, secret('x'), 0)).toBe('uninstalled');
      expect(await installations.rotateSigningSecret(installation.id, { id: world.ids.next(), sealed: 's' }, 0)).toBe(
        'uninstalled',
      );
      expect(await installations.get(installation.id)).toEqual(before);
    });
    it('becoming Suspended aborts what is in flight and holds what is queued, as it was', async () => {
      const { statuses, whileLeased, subscriptionId } = await aStoppable(world, installation);
      await whileLeased(() => world.ports.installations.update(installation.id, { status: 'Suspended' }));
      expect(await statuses()).toEqual({ 'order.paid': 'Held', 'product.updated': 'Held' });
      await world.ports.installations.update(installation.id, { status: 'Installed' });
      expect((await world.ports.deliveries.due(subscriptionId, 10, [])).map(({ attempts }) => attempts)).toEqual([0, 0]);
    });
    it('losing scopes aborts what is in flight and ends as Dropped what is queued of their event types; the rest stays', async () => {
      const { statuses, whileLeased } = await aStoppable(world, installation);
      await whileLeased(() => world.ports.installations.update(installation.id, { scopes: ['write_products'] }));
      expect(await statuses()).toEqual({ 'order.paid': 'Dropped', 'product.updated': 'Pending' });
    });
    it('uninstall: aborts what is in flight and ends what is queued as Dropped', async () => {
      const { statuses, whileLeased, subscriptionId } = await aStoppable(world, installation);
      await whileLeased(() => uninstall());
      expect(await statuses()).toEqual({ 'order.paid': 'Dropped', 'product.updated': 'Dropped' });
      expect(await world.leases.acquire('deliveries', subscriptionId)).toBeNull();
    });
    it('uninstall: what has ended stays as it ended', async () => {
      const { statuses, subscriptionId } = await aStoppable(world, installation);
      const [first] = await world.ports.deliveries.due(subscriptionId, 1, []);
      const seen = { startedAt: 0, durationMs: 7, status: 200, address: '192.0.2.1', error: null, response: '' };
      const attempt = { ...seen, deliveryId: first?.id ?? '', number: 1, verdict: { kind: 'delivered' } } as const;
      await world.ports.deliveries.settle([attempt], []);
      await uninstall();
      expect(Object.values(await statuses()).sort()).toEqual(['Delivered', 'Dropped']);
    });
    it('a subscription of it that is removed: aborts what is in flight and ends what is queued as Dropped', async () => {
      const { statuses, whileLeased, subscriptionId } = await aStoppable(world, installation);
      const owner = { storeId: store.id, installationId: installation.id };
      await whileLeased(() => world.ports.subscriptions.delete(owner, subscriptionId));
      expect(await statuses()).toEqual({ 'order.paid': 'Dropped', 'product.updated': 'Dropped' });
      expect(await world.leases.acquire('deliveries', subscriptionId)).toBeNull();
    });
    it('rotation: the older ones end after the overlap', async () => {
      const { installations } = world.ports;
      const second = secret('second');
      expect(await installations.rotateClientSecret(installation.id, second, 100)).toEqual({ previousExpiresAt: TIME });
      expect(new Set(await hashes())).toEqual(new Set([firstHash, second.hash]));
      await world.pass(100);
      expect(await hashes()).toEqual([second.hash]);
    });
    it('rotation: those that end sooner keep their end', async () => {
      const { installations } = world.ports;
      const [second, third] = [secret('second'), secret('third')];
      await installations.rotateClientSecret(installation.id, second, 100);
      await installations.rotateClientSecret(installation.id, third, 1000);
      await world.pass(100);
      expect(new Set(await hashes())).toEqual(new Set([second.hash, third.hash]));
    });
    it('rotation: an overlap of 0 revokes now', async () => {
      const second = secret('second');
      await world.ports.installations.rotateClientSecret(installation.id, second, 0);
      expect(await hashes()).toEqual([second.hash]);
    });
    it('the sealed signing secrets that live now, newest first', async () => {
      const { installations } = world.ports;
      for (const sealed of ['second', 'third']) {
        await installations.rotateSigningSecret(installation.id, { id: world.ids.next(), sealed }, 100);
      }
      expect(await installations.signingSecrets(installation.id)).toEqual(['third', 'second', 'sealed']);
      await world.pass(100);
      expect(await installations.signingSecrets(installation.id)).toEqual(['third']);
    });
    it('finds by client id on the store of this domain', async () => {
      expect(await world.ports.installations.credentials(installation.clientId, store.domain)).toEqual({
        installationId: installation.id,
        scopes: installation.scopes,
        status: 'Installed',
        storeStatus: 'Active',
        secretHashes: [firstHash],
      });
    });
    it('credentials: null when there is none, or it is on another store', async () => {
      const { installations } = world.ports;
      expect(await installations.credentials('nobody', store.domain)).toBeNull();
      expect(await installations.credentials(installation.clientId, (await aStore(world)).domain)).toBeNull();
    });
    it('uninstall: makes it Uninstalled and removes its subscriptions and idempotency records, nobody else’s', async () => {
      const other = await anInstallation(world, store.id);
      for (const one of [installation, other]) await world.aSubscriptionAndAKey(one);
      expect(await uninstall()).toEqual({
        installation: { ...installation, status: 'Uninstalled', updatedAt: TIME, uninstalledAt: TIME },
        changed: true,
      });
      expect(await world.owned(installation.id)).toBe(0);
      expect(await world.owned(other.id)).toBe(2);
    });
    it('uninstall again: whether this call did it', async () => {
      const first = await uninstall();
      expect(await uninstall()).toEqual({ installation: first?.installation, changed: false });
    });
    it('uninstall: nothing of it stays when its transaction throws', async () => {
      await world.aSubscriptionAndAKey(installation);
      const failure = new Error('on purpose');
      const work = world.ports.transaction.run(async (tx) => {
        await tx.installations.uninstall(installation.id);
        throw failure;
      });
      await expect(work).rejects.toBe(failure);
      expect(await world.ports.installations.get(installation.id)).toEqual(installation);
      expect(await world.owned(installation.id)).toBe(2);
    });
  });
};
