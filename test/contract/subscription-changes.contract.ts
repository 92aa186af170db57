import { afterAll, describe, expect, it } from 'vitest';

import type { SubscriptionChanges } from '../../src/domain/ports/webhooks/subscription-changes.ts';
import type { NewSubscription } from '../../src/domain/ports/webhooks/subscription-repository.ts';
import type { SubscriptionContent, SubscriptionKey } from '../../src/domain/webhooks/subscription.ts';
import { NO_OPTIONS } from '../../src/domain/webhooks/subscription-options.ts';
import { beforeAll } from './hooks.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';
import { aStore, anInstallation, anInstallationOf, aPlatformApp, type IdentityWorld } from './identity-worlds.ts';
import { aStoppable } from './stopping.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';

export const subscriptionChangesContract = (
  name: string,
  open: () => Promise<DeliveryWorld>,
  openIdentity: () => Promise<IdentityWorld>,
): void => {
  describe(`SubscriptionChanges on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    let identity: IdentityWorld;
    beforeAll(async () => {
      identity = await openIdentity();
    });
    afterAll(() => identity.close());

    const changes = (): SubscriptionChanges => shop.ports.subscriptionChanges;
    const own = () => shop.keyOf(shop.own);
    const its = () => shop.keyOf(shop.its);
    const find = (id: string) => shop.ports.subscriptions.find(shop.storeId, id);
    const fanOut = () => shop.ports.deliveries.fanOut(shop.storeId, 100);
    const target = (id: string) => shop.ports.deliveries.target(shop.keyOf(id));
    const fails = (id: string, more: { probeInSeconds?: number | null; deactivates?: boolean } = {}) =>
      shop.ports.deliveries.settle(
        [],
        [{ ...shop.keyOf(id), failures: 10, failingForSeconds: 60, probeInSeconds: 300, deactivates: false, ...more }],
      );
    /** By type of event, then the newest first. Deliveries of one fan-out were created at one moment, and have no order of their own. */
    const listed = async (subscriptionId: string) => {
      const page = await shop.ports.deliveryLog.list(shop.storeId, { subscriptionId }, { after: null, take: 50 });
      const shown = page?.items.map(({ status, waitingBecause, eventType }) => [status, waitingBecause, eventType] as const);
      return (shown ?? []).sort(([, , a], [, , b]) => a.localeCompare(b));
    };
    const everyKey = () => [
      { storeId: NOWHERE, subscriptionId: shop.own },
      { storeId: shop.storeId, subscriptionId: NOWHERE },
    ];
    const ofAnother = async () => ({ storeId: (await shop.another()).storeId, subscriptionId: shop.own });
    /** A worker has the lease meanwhile, and must release it. */
    const whileLeased = async (change: (changes: SubscriptionChanges, key: SubscriptionKey) => Promise<unknown>) => {
      const installation = await anInstallation(identity, (await aStore(identity)).id);
      const { statuses, whileLeased: leased, subscription: stopped } = await aStoppable(identity, installation);
      await leased(() => change(identity.ports.subscriptionChanges, stopped));
      return { statuses, subscription: stopped };
    };

    const wanted = (installationId: string | null): NewSubscription => ({
      ...NO_OPTIONS,
      id: shop.world.ids.next(),
      storeId: shop.storeId,
      installationId,
      url: 'https://next.test/',
      description: null,
      eventTypes: ['product.updated'],
      signingSecret: installationId === null ? 'next' : null,
    });
    const replace = async (replaced: string, installationId: string | null = shop.appId): Promise<string> => {
      const next = wanted(installationId);
      expect(await changes().replace(next, replaced)).toMatchObject({ id: next.id, url: next.url, installationId });
      return next.id;
    };

    describe('replace', () => {
      const due = (id: string) => shop.ports.deliveries.due(shop.keyOf(id), 10, []);
      it('Adds the subscription in the place of one of its owner, which it removes.', async () => {
        const next = await replace(shop.own, null);
        expect(await target(next)).toMatchObject({ url: 'https://next.test/', secrets: ['next'] });
        expect(await find(shop.own)).toBeNull();
        expect(await find(next)).toMatchObject({ isActive: true });
      });
      it('Takes over its queued deliveries, with their attempts.', async () => {
        const events = await shop.append({}, {}, {});
        await fanOut();
        const [sent, failed] = await due(shop.its);
        const again = { kind: 'retry', inSeconds: 0 } as const;
        await shop.ports.deliveries.settle(
          [shop.attempt(sent?.id ?? '', { kind: 'delivered' }), shop.attempt(failed?.id ?? '', again)],
          [],
        );
        const next = await replace(shop.its);
        const moved = await due(next);
        expect(moved.map(({ eventId }) => eventId).sort()).toEqual(events.filter((id) => id !== sent?.eventId).sort());
        expect(moved.find(({ id }) => id === failed?.id)).toMatchObject({ attempts: 1, tries: 1 });
        expect(await due(shop.its)).toEqual([]);
        expect(await listed(next)).toHaveLength(2);
        expect(await listed(shop.its)).toEqual([['Delivered', null, 'product.updated']]);
      });
      it('Ends those of types that it does not name as Dropped.', async () => {
        const old = await shop.subscribe(null, ['order.paid', 'product.created', 'product.updated']);
        await shop.append({ type: 'order.paid' }, { type: 'product.created' }, {});
        await fanOut();
        await shop.ports.deliveryLog.ping(null, shop.keyOf(old));
        const next = await replace(old, null);
        expect((await listed(next)).map(([, , type]) => type)).toEqual(['ping', 'product.updated']);
        expect(await due(next)).toHaveLength(2);
        expect(await listed(old)).toEqual([
          ['Dropped', null, 'order.paid'],
          ['Dropped', null, 'product.created'],
        ]);
        expect(await shop.ports.deliveries.endQueued(1)).toBe(0);
      });
      it('Matches the events that the other matched and that wait for their fan-out.', async () => {
        const events = await shop.append({}, {});
        await shop.world.pass(1);
        const next = await replace(shop.its);
        await fanOut();
        expect((await due(next)).map(({ eventId }) => eventId).sort()).toEqual([...events].sort());
      });
      it('Stops the attempts in flight of the other, and starts none after it resolves.', async () => {
        const installation = await anInstallation(identity, (await aStore(identity)).id);
        const { whileLeased: leased, subscription } = await aStoppable(identity, installation);
        const { storeId, id: installationId } = installation;
        const next = { ...wanted(installationId), storeId, eventTypes: ['order.paid', 'product.updated'] as const };
        await leased(() => identity.ports.subscriptionChanges.replace(next, subscription.subscriptionId));
        expect(await identity.ports.deliveries.target(subscription)).toBeNull();
        expect(await identity.ports.deliveries.due({ storeId, subscriptionId: next.id }, 10, [])).toHaveLength(2);
      });
      it('Stays paused where the other was.', async () => {
        await changes().pause(own());
        const next = await replace(shop.own, null);
        expect((await find(next))?.health.notDeliverableBecause).toEqual(['paused_by_merchant']);
      });
      it('Also replaces one of 50 of an installation.', async () => {
        for (let n = 1; n < 50; n += 1) await shop.subscribe(shop.appId, ['product.updated']);
        expect(await shop.ports.subscriptions.create(wanted(shop.appId))).toBe('full');
        await replace(shop.its);
      });
      it('Returns `deactivated` and changes nothing when the other is deactivated.', async () => {
        await fails(shop.own, { deactivates: true });
        const next = wanted(null);
        expect(await changes().replace(next, shop.own)).toBe('deactivated');
        expect([await find(next.id), (await find(shop.own))?.isActive]).toEqual([null, false]);
      });
      it('Returns null and changes nothing when the owner has no subscription with this id.', async () => {
        const another = await shop.another();
        const install = await shop.install(['read_products']);
        for (const [owner, replaced] of [
          [null, shop.its],
          [shop.appId, shop.own],
          [install, shop.its],
          [shop.appId, another.its],
          [null, NOWHERE],
        ] as const) {
          const next = wanted(owner);
          expect(await changes().replace(next, replaced)).toBeNull();
          expect(await find(next.id)).toBeNull();
        }
        for (const id of [shop.its, shop.own]) expect(await find(id)).toMatchObject({ isActive: true });
      });
    });
    describe('edit', () => {
      it("Changes what is given of the merchant's subscription.", async () => {
        const first = await changes().edit(own(), { url: 'https://y.test/', description: 'Y' });
        expect(first).toMatchObject({ id: shop.own, url: 'https://y.test/', description: 'Y', eventTypes: ['product.updated'] });
        expect(await changes().edit(own(), { eventTypes: ['order.paid', 'order.created'] })).toMatchObject({
          url: 'https://y.test/',
          description: 'Y',
          eventTypes: ['order.paid', 'order.created'],
        });
        const options = { filter: { path: 'id', op: 'exists' }, fields: ['id'], order: 'resource' } as const;
        expect(await changes().edit(own(), options)).toMatchObject({ url: 'https://y.test/', ...options });
        expect(await changes().edit(own(), { filter: null })).toMatchObject({ filter: null, fields: ['id'] });
        expect(await changes().edit(own(), { fields: null, order: null })).toMatchObject(NO_OPTIONS);
        const last = await changes().edit(own(), { description: null });
        expect(last).toMatchObject({ url: 'https://y.test/', description: null, updatedAt: expect.any(String) as string });
        expect(await find(shop.own)).toEqual(last);
        expect(await target(shop.own)).toMatchObject({ url: 'https://y.test/' });
      });
      it('Keeps its id, its secret and its queued deliveries.', async () => {
        await shop.append({});
        await fanOut();
        const edited = await changes().edit(own(), { url: 'https://y.test/', eventTypes: ['order.paid'] });
        expect(edited).toMatchObject({ id: shop.own, hasSigningSecret: true });
        expect(await target(shop.own)).toMatchObject({ secrets: ['own'] });
        expect(await listed(shop.own)).toEqual([['Waiting', 'queued', 'product.updated']]);
      });
      it('Stops its attempts in flight, and starts none at the URL before.', async () => {
        await shop.append({});
        await fanOut();
        const lease = await shop.world.leases.acquire('deliveries', { storeId: shop.storeId, id: shop.own });
        const edited = changes().edit(own(), { url: 'https://y.test/' });
        await lease?.release();
        await edited;
        expect(await lease?.mayBegin()).toBe(false);
        expect(await target(shop.own)).toMatchObject({ url: 'https://y.test/' });
      });
      it('Makes the probe of an open breaker due when the URL changes.', async () => {
        await fails(shop.own);
        await changes().edit(own(), { description: 'the same URL', url: 'https://x.test/' });
        expect((await find(shop.own))?.health.breaker).toBe('open');
        await changes().edit(own(), { url: 'https://y.test/' });
        expect((await find(shop.own))?.health.breaker).toBe('probing');
        const healthy = await shop.subscribe(null, ['order.paid']);
        await changes().edit(shop.keyOf(healthy), { url: 'https://y.test/' });
        expect((await find(healthy))?.health.breaker).toBe('closed');
      });
      it('Adds no delivery of a type that it does not name any more.', async () => {
        await shop.append({});
        await changes().edit(own(), { eventTypes: ['order.paid'] });
        expect((await fanOut()).subscriptionIds).toEqual([shop.its]);
        await shop.append({ type: 'order.paid' });
        expect((await fanOut()).subscriptionIds).toEqual([shop.own]);
      });
      it('Does not change when it was deactivated.', async () => {
        await fails(shop.own, { deactivates: true });
        const before = (await find(shop.own))?.health.deactivatedAt;
        await shop.world.pass(10);
        const passed = (await find(shop.own))?.health.deactivatedAt;
        await changes().edit(own(), { url: 'https://y.test/' });
        const { health } = (await find(shop.own)) ?? {};
        expect(health).toMatchObject({ deactivatedAt: passed, deactivatedBecause: 'answered_410' });
        expect(before).toBeTypeOf('string');
        await changes().edit(own(), { url: 'https://z.test/' });
        expect((await find(shop.own))?.health.deactivatedAt).toBe(passed);
      });
      it('Returns `unfit` and changes nothing when `fits` refuses all that the subscription would say then, also after an edit at the same time.', async () => {
        const before = await find(shop.own);
        const fits = ({ eventTypes, fields, url }: SubscriptionContent): boolean =>
          url === 'https://x.test/' && !(fields !== null && eventTypes.includes('order.paid'));
        expect(await changes().edit(own(), { url: 'https://y.test/' }, fits)).toBe('unfit');
        expect(await find(shop.own)).toEqual(before);
        const [cut, named] = await Promise.all([
          changes().edit(own(), { fields: ['id'] }, fits),
          changes().edit(own(), { eventTypes: ['order.paid'] }, fits),
        ]);
        expect([cut, named].filter((one) => one === 'unfit')).toHaveLength(1);
        expect(fits((await find(shop.own)) ?? expect.fail('gone'))).toBe(true);
      });
      it('Returns `of_an_app` and changes nothing for the subscription of an app.', async () => {
        const before = await find(shop.its);
        expect(await changes().edit(its(), { url: 'https://y.test/' })).toBe('of_an_app');
        expect(await find(shop.its)).toEqual(before);
      });
      it('Returns null when the store has no subscription with this id.', async () => {
        for (const key of [...everyKey(), await ofAnother()]) {
          expect(await changes().edit(key, { url: 'https://y.test/' })).toBeNull();
        }
        expect(await find(shop.own)).toMatchObject({ url: 'https://x.test/' });
      });
    });

    describe('pause', () => {
      it('Keeps the subscription from being sent to, also one of an app.', async () => {
        for (const key of [own(), its()]) {
          expect(await changes().pause(key)).toMatchObject({
            isDeliverable: false,
            isActive: true,
            health: { pausedAt: expect.any(String) as string, notDeliverableBecause: ['paused_by_merchant'] },
          });
          expect(await shop.ports.deliveries.target(key)).toMatchObject({ held: true });
        }
      });
      it('Stops its attempts in flight, whose deliveries wait.', async () => {
        const { statuses } = await whileLeased((ports, key) => ports.pause(key));
        expect(await statuses()).toEqual({ 'order.paid': 'Waiting', 'product.updated': 'Waiting' });
      });
      it('Starts no attempt after it resolves.', async () => {
        const { subscription } = await whileLeased((ports, key) => ports.pause(key));
        expect(await identity.ports.deliveries.target(subscription)).toMatchObject({ held: true });
      });
      it('Does not change since when it is paused.', async () => {
        await changes().pause(own());
        await shop.world.pass(10);
        const before = (await find(shop.own))?.health.pausedAt;
        expect((await changes().pause(own())) as object).toMatchObject({ health: { pausedAt: before } });
      });
      it('Returns `deactivated` and changes nothing for a deactivated one.', async () => {
        await fails(shop.own, { deactivates: true });
        const before = await find(shop.own);
        expect(await changes().pause(own())).toBe('deactivated');
        expect(await find(shop.own)).toEqual(before);
      });
      it('Returns `of_a_platform_app` and changes nothing for the event address of a platform app.', async () => {
        const store = await aStore(identity);
        await anInstallationOf(identity, store.id, await aPlatformApp(identity, { eventUrl: 'https://app.test/' }));
        const [before] = (await identity.ports.subscriptions.watch(store.id, { skip: 0, take: 1 }))?.items ?? [];
        const key = { storeId: store.id, subscriptionId: before?.id ?? '' };
        expect(await identity.ports.subscriptionChanges.pause(key)).toBe('of_a_platform_app');
        expect(await identity.ports.subscriptions.find(store.id, key.subscriptionId)).toEqual(before);
      });
      it('Returns null when the store has no subscription with this id.', async () => {
        for (const key of [...everyKey(), await ofAnother()]) expect(await changes().pause(key)).toBeNull();
        expect((await find(shop.own))?.health.pausedAt).toBeNull();
      });
    });

    describe('resume', () => {
      it('Ends the pause, so that what waits can be sent.', async () => {
        await shop.append({});
        await fanOut();
        await changes().pause(own());
        expect(await listed(shop.own)).toEqual([['Waiting', 'paused_by_merchant', 'product.updated']]);
        expect(await changes().resume(own())).toMatchObject({ isDeliverable: true, health: { pausedAt: null } });
        expect(await listed(shop.own)).toEqual([['Waiting', 'queued', 'product.updated']]);
        expect(await target(shop.own)).toMatchObject({ held: false });
      });
      it('Its time does not count as time without a success.', async () => {
        const failingFor = async () => (await target(shop.own))?.health.failingForSeconds;
        await fails(shop.own);
        await shop.world.pass(600);
        await changes().pause(own());
        expect((await find(shop.own))?.health.deactivatesAt).toBeNull();
        await shop.world.pass(7_200);
        await changes().resume(own());
        const seconds = (await failingFor()) ?? 0;
        expect([seconds >= 660, seconds < 7_200]).toEqual([true, true]);
      });
      it('Changes nothing for one that is not paused.', async () => {
        const before = await find(shop.own);
        expect(await changes().resume(own())).toEqual(before);
        expect(await find(shop.own)).toEqual(before);
      });
      it('Returns null when the store has no subscription with this id.', async () => {
        await changes().pause(own());
        for (const key of [...everyKey(), await ofAnother()]) expect(await changes().resume(key)).toBeNull();
        expect((await find(shop.own))?.health.pausedAt).not.toBeNull();
      });
    });

    describe('reactivate', () => {
      it('Activates a deactivated subscription as one that never failed.', async () => {
        await fails(shop.own, { deactivates: true });
        expect(await changes().reactivate(own())).toMatchObject({
          isActive: true,
          isDeliverable: true,
          health: { breaker: 'closed', failingSince: null, deactivatedAt: null, deactivatedBecause: null },
        });
        expect(await target(shop.own)).toMatchObject({
          health: { failures: 0, failingForSeconds: null, probeInSeconds: null },
        });
        await fails(shop.own, { deactivates: true });
        expect((await find(shop.own))?.isActive).toBe(false);
      });
      it('Keeps its id, its secret and its deliveries.', async () => {
        await shop.append({});
        await fanOut();
        await fails(shop.own, { deactivates: true });
        await changes().reactivate(own());
        expect(await target(shop.own)).toMatchObject({ subscriptionId: shop.own, secrets: ['own'] });
        await shop.append({});
        await fanOut();
        expect(await listed(shop.own)).toEqual([
          ['Waiting', 'queued', 'product.updated'],
          ['Failed', null, 'product.updated'],
        ]);
      });
      it('Changes nothing for an active one.', async () => {
        await fails(shop.own);
        const before = await find(shop.own);
        expect(await changes().reactivate(own())).toEqual(before);
      });
      it('Returns null when the store has no subscription with this id.', async () => {
        await fails(shop.own, { deactivates: true });
        for (const key of [...everyKey(), await ofAnother()]) expect(await changes().reactivate(key)).toBeNull();
        expect((await find(shop.own))?.isActive).toBe(false);
      });
    });
    // Last: the number of rows slows down what comes behind them.
    describe('reactivate', () => {
      it('Returns `ending` and does not activate it while many of its deliveries are still being ended.', async () => {
        await shop.append(...Array.from({ length: 2_100 }, () => ({})));
        await shop.fanOutAll();
        await fails(shop.own, { deactivates: true });
        // A storage that ends all of them at once has nothing left here.
        const isEnding = (await shop.ports.deliveries.endQueued(1)) > 0;
        expect((await changes().reactivate(own())) === 'ending').toBe(isEnding);
        expect((await find(shop.own))?.isActive).toBe(!isEnding);
        while ((await shop.ports.deliveries.endQueued(1_000)) > 0);
        expect(await changes().reactivate(own())).toMatchObject({ isActive: true });
      });
    });
    describe('replace', () => {
      it('Returns `ending` and does not replace it while many of its deliveries are still being ended.', async () => {
        await shop.append(...Array.from({ length: 2_100 }, () => ({})));
        await shop.fanOutAll();
        await shop.ports.installations.update(shop.storeId, shop.appId, { scopes: [] });
        // A storage that ends all of them at once has nothing left here.
        const isEnding = (await shop.ports.deliveries.endQueued(1)) > 0;
        const next = wanted(shop.appId);
        expect((await changes().replace(next, shop.its)) === 'ending').toBe(isEnding);
        expect((await find(shop.its)) !== null).toBe(isEnding);
        while ((await shop.ports.deliveries.endQueued(1_000)) > 0);
        if (isEnding) await replace(shop.its);
      });
      it('Returns `waiting` and changes nothing when more than 10,000 of its deliveries are queued.', async () => {
        await shop.append(...Array.from({ length: 10_001 }, () => ({})));
        await shop.fanOutAll();
        const next = wanted(null);
        expect(await changes().replace(next, shop.own)).toBe('waiting');
        expect([await find(next.id), (await find(shop.own))?.isActive]).toEqual([null, true]);
      });
    });
  });
};
