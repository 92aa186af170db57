import { describe, expect, it } from 'vitest';

import { MAX_COUNTED } from '../../src/domain/ports/redelivery-repository.ts';
import { useShop } from './delivery-worlds.ts';
import type { DeliveryWorld, Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';
const FAILED = { statuses: ['Failed'] } as const;

export const redeliveryRepositoryContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`RedeliveryRepository on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const redeliveries = () => shop.ports.redeliveries;
    const idOf = async (eventId: string): Promise<string> => {
      const filter = { eventId, subscriptionId: shop.its };
      const page = await shop.ports.deliveryLog.list(shop.storeId, filter, { after: null, take: 1 });
      return page?.items[0]?.id ?? '';
    };
    const failAgain = async (eventId: string, number = 1): Promise<void> => {
      await shop.ports.deliveries.settle([shop.attempt(await idOf(eventId), { kind: 'failed' }, number)], []);
      // The next request comes at a later time.
      await shop.world.pass(1);
    };
    /** The event of a delivery to the app that failed. */
    const fail = async (): Promise<string> => {
      const [eventId = ''] = await shop.append({});
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
      await failAgain(eventId);
      return eventId;
    };
    const due = async () => (await shop.ports.deliveries.due(shop.its, 50, [])).map(({ eventId }) => eventId).sort();
    const ask = async (): Promise<string> => {
      const counted = await redeliveries().count(shop.storeId, FAILED);
      return redeliveries().add(shop.storeId, FAILED, counted?.askedAt ?? '');
    };
    const loseScope = () => shop.world.setApp(shop.appId, { scopes: ['read_orders'] });

    describe('add', () => {
      it('Keeps the request until its last batch, and returns its id.', async () => {
        await fail();
        await fail();
        const id = await ask();
        expect(await redeliveries().next(id, 1)).toMatchObject({ isLast: false });
        expect(await redeliveries().open()).toContain(id);
        expect(await redeliveries().next(id, 1)).toMatchObject({ isLast: true });
        expect(await redeliveries().open()).not.toContain(id);
      });
    });

    describe('next', () => {
      it('Makes at most `limit` deliveries due now, with a new schedule, newest first.', async () => {
        const [first, second] = [await fail(), await fail()];
        const id = await ask();
        expect(await redeliveries().next(id, 1)).toEqual({ deliveries: 1, subscriptionIds: [shop.its], isLast: false });
        expect(await due()).toEqual([second]);
        expect(await shop.ports.deliveries.due(shop.its, 1, [])).toMatchObject([{ attempts: 1, tries: 0 }]);
        await redeliveries().next(id, 1);
        expect(await due()).toEqual([first, second].sort());
      });
      it('Leaves out deliveries that changed after the request, so that each is sent again once and none that matched later.', async () => {
        const [first, second] = [await fail(), await fail()];
        const id = await ask();
        await shop.world.pass(1);
        const later = await fail();
        await shop.ports.deliveryLog.redeliver(await idOf(first));
        await failAgain(first, 2);
        let sent = 0;
        for (let last = false; !last;) {
          const batch = await redeliveries().next(id, 1);
          sent += batch?.deliveries ?? 0;
          last = batch?.isLast ?? true;
        }
        expect([sent, await due()]).toEqual([1, [second]]);
        expect(await redeliveries().count(shop.storeId, { ...FAILED, eventId: later })).toMatchObject({ deliveries: 1 });
      });
      it('Leaves out deliveries whose subscription may not receive them any more.', async () => {
        await fail();
        const id = await ask();
        await loseScope();
        expect(await redeliveries().next(id, 10)).toEqual({ deliveries: 0, subscriptionIds: [], isLast: true });
      });
      it('Continues behind the batch before.', async () => {
        const events = [await fail(), await fail(), await fail()];
        const id = await ask();
        const last = [];
        for (let count = 0; count < 3; count += 1) last.push((await redeliveries().next(id, 1))?.isLast);
        expect(last).toEqual([false, false, true]);
        expect(await due()).toEqual(events.sort());
      });
      it('Returns null when no such request is left, or another call works on it.', async () => {
        await fail();
        const id = await ask();
        expect(await redeliveries().next(NOWHERE, 1)).toBeNull();
        const both = await Promise.all([redeliveries().next(id, 10), redeliveries().next(id, 10)]);
        expect(both.filter((batch) => batch !== null)).toMatchObject([{ deliveries: 1 }]);
        expect(await redeliveries().next(id, 1)).toBeNull();
      });
    });

    describe('open', () => {
      it('Returns the requests that are not finished, the oldest first.', async () => {
        const first = await ask();
        await shop.world.pass(1);
        const second = await ask();
        expect((await redeliveries().open()).slice(-2)).toEqual([first, second]);
        await redeliveries().next(first, 1);
        expect(await redeliveries().open()).not.toContain(first);
      });
    });

    describe('count', () => {
      it('Counts the deliveries of the store that match every filter.', async () => {
        const eventId = await fail();
        await fail();
        const askedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
        expect(await redeliveries().count(shop.storeId, FAILED)).toEqual({ deliveries: 2, isComplete: true, askedAt });
        expect(await redeliveries().count(shop.storeId, { ...FAILED, eventId })).toMatchObject({ deliveries: 1 });
        expect(await due()).toEqual([]);
      });
      it('Leaves out deliveries whose subscription may not receive them any more.', async () => {
        await fail();
        await loseScope();
        expect(await redeliveries().count(shop.storeId, FAILED)).toMatchObject({ deliveries: 0 });
      });
      it('Stops after it has read 100,000 deliveries.', async () => {
        await shop.world.copyDelivery(await idOf(await fail()), MAX_COUNTED);
        const none = { resourceId: 'another' };
        expect(await redeliveries().count(shop.storeId, none)).toMatchObject({ deliveries: 0, isComplete: false });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await redeliveries().count(NOWHERE, FAILED)).toBeNull();
      });
    });
  });
};
