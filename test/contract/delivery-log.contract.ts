import { describe, expect, it } from 'vitest';

import type { DeliveryFilter } from '../../src/domain/ports/delivery-log.ts';
import { useShop } from './delivery-worlds.ts';
import type { DeliveryWorld, Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';

export const deliveryLogContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`delivery-log: ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const log = () => shop.ports.deliveryLog;
    const list = (filter: DeliveryFilter = {}, page = { skip: 0, take: 50 }) => log().list(shop.storeId, filter, page);
    /** The delivery of a new event to the app, after one attempt that failed for good. */
    const failed = async (): Promise<string> => {
      const [eventId] = await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      await shop.ports.deliveries.due(shop.its, 10, []);
      const id = (await list({ eventId, subscriptionId: shop.its }))?.items[0]?.id ?? '';
      await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'failed' })], []);
      return id;
    };

    it('a page of the store’s deliveries that match every filter given, by creation, then id', async () => {
      const id = await failed();
      const [first, second] = (await list())?.items ?? [];
      expect(await list()).toMatchObject({ skip: 0, take: 50, total: 2 });
      expect(await list({}, { skip: 1, take: 1 })).toEqual({ items: [second], skip: 1, take: 1, total: 2 });
      const { eventId } = (await log().get(id)) ?? {};
      const filters = [{ installationId: shop.appId }, { subscriptionId: shop.its }, { status: 'Failed' }] as const;
      for (const filter of filters)
        expect(await list({ ...filter, eventId, since: 0 })).toMatchObject({ items: [{ id }], total: 1 });
      expect(await list({ status: 'Failed', subscriptionId: shop.own })).toMatchObject({ items: [], total: 0 });
      expect(await list({ since: Date.parse(first?.createdAt ?? '') })).toMatchObject({ total: 2 });
      expect(await list({ since: Date.parse(second?.createdAt ?? '') + 1 })).toMatchObject({ total: 0 });
    });
    it('by creation, then id, and of one event those of that event alone', async () => {
      const one = await failed();
      await failed();
      const ids = (await list())?.items.map(({ id }) => id) ?? [];
      expect(ids).toEqual([...ids].sort());
      expect(ids).toHaveLength(4);
      const { eventId } = (await log().get(one)) ?? {};
      expect(await list({ eventId, subscriptionId: shop.its })).toMatchObject({ items: [{ id: one }], total: 1 });
    });
    it('a delivery waiting under a suspended app, an inactive store or an open breaker is Held', async () => {
      await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      await shop.world.setApp(shop.appId, { status: 'Suspended' });
      expect(await list({ status: 'Held' })).toMatchObject({ items: [{ subscriptionId: shop.its }], total: 1 });
      await shop.world.setStore(shop.storeId, 'Inactive');
      expect(await list({ status: 'Held' })).toMatchObject({ total: 2 });
      await shop.world.setStore(shop.storeId, 'Active');
      await shop.world.setApp(shop.appId, { status: 'Installed' });
      expect(await list({ status: 'Pending' })).toMatchObject({ total: 2 });
      const open = { failures: 10, failingForSeconds: 0, probeInSeconds: 60, deactivates: false };
      await shop.ports.deliveries.settle([], [{ ...open, subscriptionId: shop.own }]);
      expect(await list({ status: 'Held' })).toMatchObject({ items: [{ subscriptionId: shop.own }] });
    });
    it('null when there is no such store', async () => {
      expect(await log().list(NOWHERE, {}, { skip: 0, take: 1 })).toBeNull();
    });
    it('the delivery with its attempts in order; null when there is none', async () => {
      const id = await failed();
      await log().redeliver(id);
      await shop.ports.deliveries.due(shop.its, 10, []);
      await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'delivered' }, 2)], []);
      const attempts = [
        { number: 1, status: 500, startedAt: '2026-01-01T00:00:00.000Z' },
        { number: 2, status: 200 },
      ];
      expect(await log().get(id)).toMatchObject({
        eventType: 'product.updated',
        attempts: 2,
        nextAttemptAt: null,
        log: attempts,
      });
      expect(await log().get(NOWHERE)).toBeNull();
    });
    it('makes it due now with a schedule that begins anew', async () => {
      const id = await failed();
      expect(await log().redeliver(id)).toEqual({ subscriptionId: shop.its });
      expect(await shop.ports.deliveries.due(shop.its, 10, [])).toMatchObject([{ id, attempts: 1, tries: 0 }]);
    });
    it('whatever its status; one that waits for its next attempt is due now', async () => {
      await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      const [{ id } = { id: '' }] = await shop.ports.deliveries.due(shop.its, 1, []);
      await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
      expect(await log().redeliver(id)).toEqual({ subscriptionId: shop.its });
      expect(await shop.ports.deliveries.due(shop.its, 10, [])).toMatchObject([{ id, attempts: 1, tries: 0 }]);
    });
    it('one that is due already, and so may be under way, keeps its place: what was under way is recorded', async () => {
      const id = await failed();
      await log().redeliver(id);
      const { nextAttemptAt } = (await log().get(id)) ?? {};
      await shop.world.pass(1);
      const due = (await log().get(id))?.nextAttemptAt;
      expect(await log().redeliver(id)).toEqual({ subscriptionId: shop.its });
      expect(nextAttemptAt).not.toBeNull();
      expect(await log().get(id)).toMatchObject({ status: 'Pending', nextAttemptAt: due });
      await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'delivered' }, 2)], []);
      expect(await log().get(id)).toMatchObject({ status: 'Delivered', attempts: 2 });
    });
    it('what is due is Delivering while a worker serves its subscription, and Pending again when it has let go', async () => {
      await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      const lease = await shop.world.leases.acquire('deliveries', shop.its);
      expect(await list({ status: 'Delivering' })).toMatchObject({ items: [{ subscriptionId: shop.its }], total: 1 });
      const [{ id } = { id: '' }] = await shop.ports.deliveries.due(shop.its, 1, []);
      await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
      expect(await list({ status: 'Delivering' })).toMatchObject({ total: 0 });
      await log().redeliver(id);
      expect(await log().get(id)).toMatchObject({ status: 'Delivering' });
      await lease?.release();
      expect(await log().get(id)).toMatchObject({ status: 'Pending' });
    });
    it('null when there is no such delivery', async () => {
      expect(await log().redeliver(NOWHERE)).toBeNull();
    });
    it.each([
      ['removed', () => shop.world.removeSubscription(shop.its)],
      [
        'deactivated',
        () =>
          shop.ports.deliveries.settle(
            [],
            [{ subscriptionId: shop.its, failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: true }],
          ),
      ],
      ['without the scope', () => shop.world.setApp(shop.appId, { scopes: ['read_orders'] })],
    ])('`gone` and nothing changes when its subscription is %s', async (_, end) => {
      const id = await failed();
      await end();
      const before = await log().get(id);
      expect(before).toMatchObject({ id, attempts: 1 });
      expect(await log().redeliver(id)).toBe('gone');
      expect(await log().get(id)).toEqual(before);
    });
    it('the same for up to `limit` of the subscription’s Failed ones created since then', async () => {
      for (let made = 0; made < 3; made += 1) await failed();
      expect(await log().redeliverFailed(shop.its, Date.parse('2100-01-01'), 10)).toBe(0);
      expect(await log().redeliverFailed(shop.its, 0, 2)).toBe(2);
      expect(await log().redeliverFailed(shop.its, 0, 2)).toBe(1);
      expect(await list({ status: 'Failed' })).toMatchObject({ total: 0 });
      expect(await log().redeliverFailed(NOWHERE, 0, 1)).toBeNull();
    });
    it('none of those that were delivered, and of those that failed none whose type it may not receive any more', async () => {
      await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      const [delivered] = await shop.ports.deliveries.due(shop.its, 1, []);
      await shop.ports.deliveries.settle([shop.attempt(delivered?.id ?? '', { kind: 'delivered' })], []);
      expect(await log().redeliverFailed(shop.its, 0, 10)).toBe(0);
      const id = await failed();
      await shop.world.setApp(shop.appId, { scopes: ['read_orders'] });
      expect(await log().redeliverFailed(shop.its, 0, 10)).toBe(0);
      expect(await log().get(id)).toMatchObject({ status: 'Failed' });
    });
    it('`gone`, and no ping, when the subscription is deactivated', async () => {
      const id = await failed();
      const ended = { failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: true };
      await shop.ports.deliveries.settle([], [{ ...ended, subscriptionId: shop.its }]);
      expect(await log().redeliverFailed(shop.its, 0, 10)).toBe('gone');
      expect(await log().get(id)).toMatchObject({ status: 'Failed' });
      expect(await log().ping(shop.its)).toBe(false);
    });
    it('a `ping` is sent again whatever the scopes', async () => {
      await log().ping(shop.its);
      await shop.world.setApp(shop.appId, { scopes: [] });
      const id = (await list())?.items[0]?.id ?? '';
      expect(await log().redeliver(id)).toEqual({ subscriptionId: shop.its });
    });
    it('records a `ping` event with one delivery, to this subscription alone', async () => {
      expect(await log().ping(shop.its)).toBe(true);
      expect(await shop.ports.deliveries.fanOut(shop.storeId, 10)).toMatchObject({ events: 0 });
      expect(await list()).toMatchObject({ items: [{ eventType: 'ping', subscriptionId: shop.its, status: 'Pending' }] });
      expect(await log().ping(NOWHERE)).toBe(false);
    });
    it('how many subscriptions of the store an event of this type goes to now', async () => {
      expect(await log().countMatching(shop.storeId, 'product.updated')).toBe(2);
      await shop.world.setApp(shop.appId, { scopes: ['read_orders'] });
      expect(await log().countMatching(shop.storeId, 'product.updated')).toBe(1);
      expect(await log().countMatching(shop.storeId, 'order.paid')).toBe(0);
    });
  });
};
