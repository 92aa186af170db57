import { describe, expect, it } from 'vitest';

import {
  MAX_SEARCHED,
  type Delivery,
  type DeliveryFilter,
  type DeliveryLog,
} from '../../src/domain/ports/webhooks/delivery-log.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';

export const deliveryLogContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`DeliveryLog on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const log = () => shop.ports.deliveryLog;
    const list = (filter: DeliveryFilter = {}, page: Parameters<DeliveryLog['list']>[2] = { after: null, take: 50 }) =>
      log().list(shop.storeId, filter, page);
    /** The delivery of a new event to the app, which failed after one attempt. */
    const failed = async (): Promise<string> => {
      const [eventId] = await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      await shop.ports.deliveries.due(shop.its, 10, []);
      const id = (await list({ eventId, subscriptionId: shop.its }))?.items[0]?.id ?? '';
      await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'failed' })], []);
      return id;
    };

    const timeOf = (delivery: Delivery | undefined): number => Date.parse(delivery?.createdAt ?? '');

    const deactivate = () => {
      const ended = { failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: true };
      return shop.ports.deliveries.settle([], [{ ...ended, subscriptionId: shop.its }]);
    };

    describe('list', () => {
      it("Returns at most `take` of the store's deliveries, newest first, that are older than `after`.", async () => {
        await failed();
        await failed();
        const { items = [], next } = (await list()) ?? {};
        const ids = items.map(({ id }) => id);
        expect([ids.length, next]).toEqual([4, null]);
        expect(ids).toEqual([...ids].sort().reverse());
        expect(await list({}, { after: null, take: 3 })).toEqual({ items: items.slice(0, 3), next: ids[2] });
        expect(await list({}, { after: ids[0] ?? '', take: 2 })).toEqual({ items: items.slice(1, 3), next: ids[2] });
        expect(await list({}, { after: ids[2] ?? '', take: 2 })).toEqual({ items: items.slice(3), next: null });
      });
      it('Returns only deliveries that match every filter.', async () => {
        const id = await failed();
        const [newest, oldest] = (await list())?.items ?? [];
        const { eventId } = (await log().get(id)) ?? {};
        const app = { installationId: shop.appId };
        const its = { subscriptionId: shop.its };
        const filters: DeliveryFilter[] = [
          app,
          its,
          { statuses: ['Failed', 'Held'] },
          { errors: ['http_5xx', 'timeout'] },
          { ...app, errors: ['http_5xx'] },
          { ...its, statuses: ['Failed'] },
          { ...app, statuses: ['Delivering', 'Failed'] },
        ];
        for (const filter of filters) {
          expect(await list({ ...filter, eventId, since: 0 })).toMatchObject({ items: [{ id }] });
          expect(await list({ ...filter, types: ['product.updated', 'ping'], resourceId: 'r' })).toMatchObject({
            items: [{ id }],
          });
          for (const other of [{ types: ['ping'] }, { resourceId: 'x' }, { subscriptionId: shop.own }, { until: 0 }] as const)
            expect(await list({ ...filter, statuses: ['Failed'], ...other })).toMatchObject({ items: [] });
        }
        expect(await list({ installationId: NOWHERE })).toMatchObject({ items: [] });
        expect(await list({ errors: ['http_4xx'] })).toMatchObject({ items: [] });
        expect(await list({ statuses: ['Pending'] })).toMatchObject({ items: [{ subscriptionId: shop.own }] });
        expect(await list({ statuses: ['Pending'], ...app })).toMatchObject({ items: [] });
        const [from, to] = [timeOf(oldest), timeOf(newest) + 1];
        expect(await list({ since: from, until: to })).toMatchObject({ items: [{}, {}] });
        for (const none of [{ since: to }, { until: from }]) expect(await list(none)).toMatchObject({ items: [] });
        await failed();
        expect(await list({ eventId, ...its })).toMatchObject({ items: [{ id }] });
      });
      it('Ends a page early after 50,000 deliveries that do not match, with the place that it reached.', async () => {
        const id = await failed();
        await shop.world.copyDelivery(id, MAX_SEARCHED);
        const early = await list({ installationId: shop.appId, resourceId: 'another' });
        expect(early).toMatchObject({ items: [], next: expect.any(String) as string });
        expect(await list({ resourceId: 'another' }, { after: early?.next ?? '', take: 5 })).toEqual({ items: [], next: null });
      });
      it('Returns no place when no older delivery is left.', async () => {
        await failed();
        expect(await list({}, { after: null, take: 1 })).toMatchObject({ next: expect.any(String) as string });
        expect(await list({}, { after: null, take: 2 })).toMatchObject({ next: null });
      });
      it('Shows a queued delivery as Held while its app is suspended, its store is inactive or its breaker is open.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        expect(await list({ statuses: ['Held'] })).toMatchObject({ items: [{ subscriptionId: shop.its }] });
        await shop.world.setStore(shop.storeId, 'Inactive');
        expect((await list({ statuses: ['Held'] }))?.items).toHaveLength(2);
        await shop.world.setStore(shop.storeId, 'Active');
        await shop.world.setApp(shop.appId, { status: 'Installed' });
        expect((await list({ statuses: ['Pending'] }))?.items).toHaveLength(2);
        const open = { failures: 10, failingForSeconds: 0, probeInSeconds: 60, deactivates: false };
        await shop.ports.deliveries.settle([], [{ ...open, subscriptionId: shop.own }]);
        expect(await list({ statuses: ['Held'] })).toMatchObject({ items: [{ subscriptionId: shop.own }] });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await log().list(NOWHERE, {}, { after: null, take: 1 })).toBeNull();
      });
      it('Shows a due delivery as Delivering while a worker serves its subscription.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const lease = await shop.world.leases.acquire('deliveries', shop.its);
        expect(await list({ statuses: ['Delivering'] })).toMatchObject({ items: [{ subscriptionId: shop.its }] });
        const [{ id } = { id: '' }] = await shop.ports.deliveries.due(shop.its, 1, []);
        await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
        expect(await list({ statuses: ['Delivering'] })).toMatchObject({ items: [] });
        await log().redeliver(id);
        expect(await log().get(id)).toMatchObject({ status: 'Delivering' });
        await lease?.release();
        expect(await log().get(id)).toMatchObject({ status: 'Pending' });
      });
    });

    describe('get', () => {
      it('Returns the delivery with its attempts in order, the URL of its subscription and the body that is sent.', async () => {
        const id = await failed();
        await log().redeliver(id);
        await shop.ports.deliveries.due(shop.its, 10, []);
        await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'delivered' }, 2)], []);
        const attempts = [
          { number: 1, status: 500, startedAt: '2026-01-01T00:00:00.000Z', signature: 'v1,x' },
          { number: 2, status: 200, signature: 'v1,x' },
        ];
        expect(await log().get(id)).toMatchObject({
          eventType: 'product.updated',
          attempts: 2,
          nextAttemptAt: null,
          url: 'https://x.test/',
          body: expect.stringMatching(/^\{"id":"[^"]+","type":"product.updated","timestamp":/) as string,
          log: attempts,
        });
      });
      it('Returns no URL when the subscription was removed.', async () => {
        const id = await failed();
        await shop.ports.subscriptions.delete({ storeId: shop.storeId, installationId: shop.appId }, shop.its);
        expect(await log().get(id)).toMatchObject({ id, url: null });
      });
      it('Returns null when the delivery does not exist.', async () => {
        expect(await log().get(NOWHERE)).toBeNull();
      });
    });

    describe('redeliver', () => {
      it('Makes the delivery due now, with a new schedule.', async () => {
        const id = await failed();
        expect(await log().redeliver(id)).toEqual({ subscriptionId: shop.its });
        expect(await shop.ports.deliveries.due(shop.its, 10, [])).toMatchObject([{ id, attempts: 1, tries: 0 }]);
      });
      it('Also makes a delivery due that waits for its next attempt.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const [{ id } = { id: '' }] = await shop.ports.deliveries.due(shop.its, 1, []);
        await shop.ports.deliveries.settle([shop.attempt(id, { kind: 'retry', inSeconds: 300 })], []);
        expect(await log().redeliver(id)).toEqual({ subscriptionId: shop.its });
        expect(await shop.ports.deliveries.due(shop.its, 10, [])).toMatchObject([{ id, attempts: 1, tries: 0 }]);
      });
      it('Leaves a due delivery as it is, so that an attempt in flight is recorded.', async () => {
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
      it('Returns null when the delivery does not exist.', async () => {
        expect(await log().redeliver(NOWHERE)).toBeNull();
      });
      it.each([
        ['removed', () => shop.world.removeSubscription(shop.its)],
        ['deactivated', () => deactivate()],
        ['without the scope', () => shop.world.setApp(shop.appId, { scopes: ['read_orders'] })],
      ])(
        'Returns `gone` and changes nothing when the subscription was removed or deactivated, or may not receive the type any more: %s',
        async (_, end) => {
          const id = await failed();
          await end();
          const before = await log().get(id);
          expect(before).toMatchObject({ id, attempts: 1 });
          expect(await log().redeliver(id)).toBe('gone');
          expect(await log().get(id)).toEqual(before);
        },
      );
      it('A `ping` needs no scope.', async () => {
        await log().ping(null, shop.its);
        await shop.world.setApp(shop.appId, { scopes: [] });
        const id = (await list())?.items[0]?.id ?? '';
        expect(await log().redeliver(id)).toEqual({ subscriptionId: shop.its });
      });
    });

    describe('redeliverFailed', () => {
      it('Redelivers at most `limit` failed deliveries of the subscription that were created since then, and returns how many.', async () => {
        for (let made = 0; made < 3; made += 1) await failed();
        expect(await log().redeliverFailed(shop.its, Date.parse('2100-01-01'), 10)).toBe(0);
        expect(await log().redeliverFailed(shop.its, 0, 2)).toBe(2);
        expect(await log().redeliverFailed(shop.its, 0, 2)).toBe(1);
        expect(await list({ statuses: ['Failed'] })).toMatchObject({ items: [] });
      });
      it('Returns null when the subscription does not exist.', async () => {
        expect(await log().redeliverFailed(NOWHERE, 0, 1)).toBeNull();
      });
      it('Leaves out deliveries that did not fail, or whose type the subscription may not receive any more.', async () => {
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
      it('Returns `gone` when the subscription is deactivated.', async () => {
        const id = await failed();
        await deactivate();
        expect(await log().redeliverFailed(shop.its, 0, 10)).toBe('gone');
        expect(await log().get(id)).toMatchObject({ status: 'Failed' });
      });
    });

    describe('ping', () => {
      it('Records a `ping` event with one delivery, to this subscription only.', async () => {
        expect(await log().ping(null, shop.its)).toBe(true);
        expect(await shop.ports.deliveries.fanOut(shop.storeId, 10)).toMatchObject({ events: 0 });
        expect(await list()).toMatchObject({ items: [{ eventType: 'ping', subscriptionId: shop.its, status: 'Pending' }] });
      });
      it('Keeps the id of the request that is the cause.', async () => {
        const requestId = '00000000-0000-4000-8000-0000000000cc';
        await log().ping({ requestId }, shop.its);
        await log().ping(null, shop.its);
        expect(await list()).toMatchObject({ items: [{ requestId: null }, { requestId }] });
      });
      describe('Returns false when the subscription does not exist or is deactivated.', () => {
        it('unknown', async () => {
          expect(await log().ping(null, NOWHERE)).toBe(false);
        });
        it('deactivated', async () => {
          await deactivate();
          expect(await log().ping(null, shop.its)).toBe(false);
          expect(await list()).toMatchObject({ items: [] });
        });
      });
    });

    describe('countMatching', () => {
      it('Counts the subscriptions of the store that an event of this type would go to now.', async () => {
        expect(await log().countMatching(shop.storeId, 'product.updated')).toBe(2);
        await shop.world.setApp(shop.appId, { scopes: ['read_orders'] });
        expect(await log().countMatching(shop.storeId, 'product.updated')).toBe(1);
        expect(await log().countMatching(shop.storeId, 'order.paid')).toBe(0);
      });
    });
  });
};
