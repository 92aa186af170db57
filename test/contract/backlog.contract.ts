import { describe, expect, it } from 'vitest';

import type { BacklogState } from '../../src/domain/webhooks/backlog.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';
const OPEN = { failures: 10, failingForSeconds: 0, probeInSeconds: 600, deactivates: false };

export const backlogContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`Backlog on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const read = async (limit = 100): Promise<BacklogState> =>
      (await shop.ports.backlog.read(shop.storeId, limit)) ?? expect.fail('no store');
    /** Deliveries of new events: each has one to the app and one to the merchant. */
    const fill = async (events = 1): Promise<void> => {
      await shop.append(...Array.from({ length: events }, () => ({})));
      await shop.ports.deliveries.fanOut(shop.storeId, 100);
    };

    describe('read', () => {
      it('Counts the deliveries of the store that are due now, at most `limit`.', async () => {
        expect(await read()).toMatchObject({ due: { count: 0, isComplete: true, oldest: null }, held: [] });
        await fill(2);
        expect((await read()).due).toMatchObject({ count: 4, isComplete: true });
        expect((await read(4)).due).toMatchObject({ count: 4, isComplete: true });
        expect((await read(3)).due).toMatchObject({ count: 3, isComplete: false });
      });
      it('Names the one that has been due for the longest time, with its seconds.', async () => {
        await fill();
        await shop.world.pass(120);
        await fill();
        const [first] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
        const [other] = await shop.ports.deliveries.due(shop.keyOf(shop.own), 1, []);
        const { oldest } = (await read()).due;
        expect([first?.id, other?.id]).toContain(oldest?.deliveryId);
        expect([shop.its, shop.own]).toContain(oldest?.subscriptionId);
        expect(oldest?.secondsLate).toBeGreaterThanOrEqual(120);
        expect(oldest?.dueAt).toMatch(/^\d{4}-.*Z$/);
      });
      it('Counts the deliveries that are held, at most `limit` of each reason, also while a probe is due.', async () => {
        await fill(2);
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        await shop.ports.deliveries.settle([], [{ ...OPEN, ...shop.keyOf(shop.own) }]);
        expect((await read()).held).toEqual([
          { reason: 'app_suspended', count: 2, isComplete: true },
          { reason: 'paused_after_failures', count: 2, isComplete: true },
        ]);
        await shop.world.pass(OPEN.probeInSeconds + 1);
        expect((await read()).held).toMatchObject([{ count: 2 }, { reason: 'paused_after_failures', count: 2 }]);
        expect((await read(1)).held).toMatchObject([
          { count: 1, isComplete: false },
          { count: 1, isComplete: false },
        ]);
        expect((await read()).due).toEqual({ count: 0, isComplete: true, oldest: null });
        await shop.world.setStore(shop.storeId, 'Inactive');
        expect((await read()).held).toEqual([{ reason: 'store_inactive', count: 4, isComplete: true }]);
      });
      it('Leaves out reasons without a delivery.', async () => {
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        await fill();
        expect((await read()).held.map(({ reason }) => reason)).toEqual(['app_suspended']);
      });
      it('Leaves out deliveries that wait for their next attempt.', async () => {
        await fill();
        const [first] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
        await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 600 })], []);
        expect(await read()).toMatchObject({ due: { count: 1, oldest: { subscriptionId: shop.own } }, held: [] });
      });
      it('Counts none as due that waits for an earlier one of its resource.', async () => {
        const key = shop.keyOf(await shop.subscribe(null, ['order.paid'], { order: 'resource' }));
        await shop.append({ type: 'order.paid' }, { type: 'order.paid' });
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const [first] = await shop.ports.deliveries.due(key, 10, []);
        expect((await read()).due).toMatchObject({ count: 1, oldest: { deliveryId: first?.id } });
        await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 600 })], []);
        expect(await read()).toMatchObject({ due: { count: 0, oldest: null }, waiting: { count: 2 } });
      });
      it('Counts all that have not ended, and names the oldest.', async () => {
        expect((await read()).waiting).toEqual({ count: 0, isComplete: true, oldest: null });
        await fill();
        const [first] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
        await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 600 })], []);
        await shop.world.pass(120);
        await fill();
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        const { waiting } = await read();
        expect(waiting).toMatchObject({ count: 4, isComplete: true });
        expect(waiting.oldest?.secondsOld).toBeGreaterThanOrEqual(120);
        expect((await read(1)).waiting).toMatchObject({ isComplete: false });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await shop.ports.backlog.read(NOWHERE, 10)).toBeNull();
      });
    });

    describe('readOf', () => {
      it('Counts the deliveries to each of these subscriptions of the store that have not ended, at most `limit`.', async () => {
        await fill(2);
        const counts = await shop.ports.backlog.readOf(shop.storeId, [shop.its, shop.own], 1);
        expect([...counts]).toEqual([
          [shop.its, { count: 1, isComplete: false }],
          [shop.own, { count: 1, isComplete: false }],
        ]);
        expect((await shop.ports.backlog.readOf(shop.storeId, [shop.its], 2)).get(shop.its)).toEqual({
          count: 2,
          isComplete: true,
        });
        expect((await shop.ports.backlog.readOf(NOWHERE, [shop.its], 2)).get(shop.its)).toMatchObject({ count: 0 });
      });
    });

    describe('readOne', () => {
      it('Counts the deliveries to the subscription of the store that have not ended, at most `limit`.', async () => {
        await shop.append({}, {}, {});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const key = shop.keyOf(shop.its);
        expect(await shop.ports.backlog.readOne(key, 10)).toMatchObject({ count: 3, isComplete: true });
        expect(await shop.ports.backlog.readOne(key, 2)).toMatchObject({ count: 2, isComplete: false });
        const other = await shop.another();
        expect(await shop.ports.backlog.readOne({ ...key, storeId: other.storeId }, 10)).toEqual({
          count: 0,
          isComplete: true,
          oldest: null,
        });
      });
      it('Names the oldest of the 10,000 that are due first, with its seconds.', async () => {
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const [first] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
        await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 9_000 })], []);
        await shop.world.pass(100);
        await shop.append({});
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const { oldest } = await shop.ports.backlog.readOne(shop.keyOf(shop.its), 10);
        expect(oldest?.deliveryId).toBe(first?.id);
        expect(oldest?.secondsOld).toBeGreaterThanOrEqual(100);
      });
    });
  });
};
