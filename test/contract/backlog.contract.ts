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
        expect(await read()).toEqual({ due: { count: 0, isComplete: true, oldest: null }, held: [] });
        await fill(2);
        expect((await read()).due).toMatchObject({ count: 4, isComplete: true });
        expect((await read(4)).due).toMatchObject({ count: 4, isComplete: true });
        expect((await read(3)).due).toMatchObject({ count: 3, isComplete: false });
      });
      it('Names the one that has been due for the longest time, with its seconds.', async () => {
        await fill();
        await shop.world.pass(120);
        await fill();
        const [first] = await shop.ports.deliveries.due(shop.its, 1, []);
        const [other] = await shop.ports.deliveries.due(shop.own, 1, []);
        const { oldest } = (await read()).due;
        expect([first?.id, other?.id]).toContain(oldest?.deliveryId);
        expect([shop.its, shop.own]).toContain(oldest?.subscriptionId);
        expect(oldest?.secondsLate).toBeGreaterThanOrEqual(120);
        expect(oldest?.dueAt).toMatch(/^\d{4}-.*Z$/);
      });
      it('Counts the deliveries that are held, at most `limit` of each reason.', async () => {
        await fill(2);
        await shop.world.setApp(shop.appId, { status: 'Suspended' });
        await shop.ports.deliveries.settle([], [{ ...OPEN, subscriptionId: shop.own }]);
        expect((await read()).held).toEqual([
          { reason: 'app_suspended', count: 2, isComplete: true },
          { reason: 'breaker_open', count: 2, isComplete: true },
        ]);
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
        const [first] = await shop.ports.deliveries.due(shop.its, 1, []);
        await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 600 })], []);
        expect(await read()).toMatchObject({ due: { count: 1, oldest: { subscriptionId: shop.own } }, held: [] });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await shop.ports.backlog.read(NOWHERE, 10)).toBeNull();
      });
    });
  });
};
