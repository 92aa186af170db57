import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SubscriptionChanges } from '../../src/domain/ports/webhooks/subscription-changes.ts';
import type { SubscriptionKey } from '../../src/domain/webhooks/subscription.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';
import { aStore, anInstallation, type IdentityWorld } from './identity-worlds.ts';
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
    const listed = async (subscriptionId: string) => {
      const page = await shop.ports.deliveryLog.list(shop.storeId, { subscriptionId }, { after: null, take: 50 });
      return page?.items.map(({ status, waitingBecause, eventType }) => [status, waitingBecause, eventType]) ?? [];
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

    describe('edit', () => {
      it("Changes what is given of the merchant's subscription.", async () => {
        const first = await changes().edit(own(), { url: 'https://y.test/', description: 'Y' });
        expect(first).toMatchObject({ id: shop.own, url: 'https://y.test/', description: 'Y', eventTypes: ['product.updated'] });
        expect(await changes().edit(own(), { eventTypes: ['order.paid', 'order.created'] })).toMatchObject({
          url: 'https://y.test/',
          description: 'Y',
          eventTypes: ['order.paid', 'order.created'],
        });
        const options = { filter: { path: 'id', op: 'exists' }, fields: ['id'] } as const;
        expect(await changes().edit(own(), options)).toMatchObject({ url: 'https://y.test/', ...options });
        expect(await changes().edit(own(), { filter: null })).toMatchObject({ filter: null, fields: ['id'] });
        expect(await changes().edit(own(), { fields: null })).toMatchObject({ filter: null, fields: null });
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
      it('Returns `ending` and does not activate it while many of its deliveries are still being ended.', async () => {
        await shop.append(...Array.from({ length: 2_100 }, () => ({})));
        while ((await fanOut()).events > 0);
        await fails(shop.own, { deactivates: true });
        // A storage that ends all of them at once has nothing left here.
        const isEnding = (await shop.ports.deliveries.endQueued(1)) > 0;
        expect((await changes().reactivate(own())) === 'ending').toBe(isEnding);
        expect((await find(shop.own))?.isActive).toBe(!isEnding);
        while ((await shop.ports.deliveries.endQueued(1_000)) > 0);
        expect(await changes().reactivate(own())).toMatchObject({ isActive: true });
      });
      it('Returns null when the store has no subscription with this id.', async () => {
        await fails(shop.own, { deactivates: true });
        for (const key of [...everyKey(), await ofAnother()]) expect(await changes().reactivate(key)).toBeNull();
        expect((await find(shop.own))?.isActive).toBe(false);
      });
    });
  });
};
