import { describe, expect, it } from 'vitest';

import type { DeliveryFilter } from '../../src/domain/ports/webhooks/delivery-log.ts';
import { MAX_COUNTED } from '../../src/domain/ports/webhooks/redelivery-repository.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const NOWHERE = '00000000-0000-4000-8000-00000000ffff';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
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
    const due = async () => (await shop.ports.deliveries.due(shop.keyOf(shop.its), 50, [])).map(({ eventId }) => eventId).sort();
    const ask = async (): Promise<string> => {
      const counted = await redeliveries().count(shop.storeId, FAILED);
      return redeliveries().add(shop.storeId, FAILED, { askedAt: counted?.askedAt ?? '', total: counted?.matching ?? null });
    };
    const loseScope = () => shop.world.setApp(shop.appId, { scopes: ['read_orders'] });

    describe('add', () => {
      it('Keeps the request, and returns its id.', async () => {
        await fail();
        await fail();
        const id = await ask();
        expect(await redeliveries().next(shop.storeId, id, 1)).toMatchObject({ isLast: false });
        expect(await redeliveries().open()).toContainEqual({ storeId: shop.storeId, id });
        expect(await redeliveries().next(shop.storeId, id, 1)).toMatchObject({ isLast: true });
        expect(await redeliveries().open()).not.toContainEqual({ storeId: shop.storeId, id });
      });
    });

    describe('get', () => {
      it('Returns how far the request is: what its batches sent and what they left out.', async () => {
        const [first] = [await fail(), await fail()];
        const id = await ask();
        await shop.world.pass(1);
        await shop.ports.deliveryLog.redeliver(shop.storeId, await idOf(first));
        await failAgain(first, 2);
        const named = { id, storeId: shop.storeId, installationId: null };
        const begun = { ...named, total: 2, sent: 0, skipped: 0, createdAt: TIME, finishedAt: null };
        expect(await redeliveries().get(shop.storeId, id)).toEqual(begun);
        await redeliveries().next(shop.storeId, id, 1);
        expect(await redeliveries().get(shop.storeId, id)).toEqual({ ...begun, sent: 1 });
        await redeliveries().next(shop.storeId, id, 1);
        expect(await redeliveries().get(shop.storeId, id)).toEqual({ ...begun, sent: 1, skipped: 1, finishedAt: TIME });
      });
      it('Names the app of its filter.', async () => {
        const request = { askedAt: new Date(0).toISOString(), total: null };
        const id = await redeliveries().add(shop.storeId, { ...FAILED, installationId: shop.appId }, request);
        expect(await redeliveries().get(shop.storeId, id)).toMatchObject({ installationId: shop.appId });
      });
      it('Returns null when the store does not have the request.', async () => {
        expect(await redeliveries().get(shop.storeId, NOWHERE)).toBeNull();
        expect(await redeliveries().get(NOWHERE, await ask())).toBeNull();
      });
    });

    describe('next', () => {
      it('Makes at most `limit` deliveries due now, with a new schedule, newest first.', async () => {
        const [first, second] = [await fail(), await fail()];
        const id = await ask();
        expect(await redeliveries().next(shop.storeId, id, 1)).toEqual({
          deliveries: 1,
          subscriptionIds: [shop.its],
          isLast: false,
        });
        expect(await due()).toEqual([second]);
        expect(await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, [])).toMatchObject([{ attempts: 1, tries: 0 }]);
        await redeliveries().next(shop.storeId, id, 1);
        expect(await due()).toEqual([first, second].sort());
      });
      it('Leaves out deliveries that changed after the request, so that each is sent again once and none that matched later.', async () => {
        const [first, second] = [await fail(), await fail()];
        const id = await ask();
        await shop.world.pass(1);
        const later = await fail();
        await shop.ports.deliveryLog.redeliver(shop.storeId, await idOf(first));
        await failAgain(first, 2);
        let sent = 0;
        for (let last = false; !last;) {
          const batch = await redeliveries().next(shop.storeId, id, 1);
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
        expect(await redeliveries().next(shop.storeId, id, 10)).toEqual({ deliveries: 0, subscriptionIds: [], isLast: true });
      });
      it('Continues behind the batch before.', async () => {
        const events = [await fail(), await fail(), await fail()];
        const id = await ask();
        const last = [];
        for (let count = 0; count < 3; count += 1) last.push((await redeliveries().next(shop.storeId, id, 1))?.isLast);
        expect(last).toEqual([false, false, true]);
        expect(await due()).toEqual(events.sort());
      });
      it('Returns null when the store does not have the request, it is finished, or another call works on it.', async () => {
        await fail();
        const id = await ask();
        expect(await redeliveries().next(shop.storeId, NOWHERE, 1)).toBeNull();
        expect(await redeliveries().next(NOWHERE, id, 1)).toBeNull();
        const both = await Promise.all([redeliveries().next(shop.storeId, id, 10), redeliveries().next(shop.storeId, id, 10)]);
        expect(both.filter((batch) => batch !== null)).toMatchObject([{ deliveries: 1 }]);
        expect(await redeliveries().next(shop.storeId, id, 1)).toBeNull();
      });
    });

    describe('open', () => {
      it('Returns the requests that are not finished, the oldest first.', async () => {
        const first = await ask();
        await shop.world.pass(1);
        const second = await ask();
        expect((await redeliveries().open()).slice(-2)).toEqual([
          { storeId: shop.storeId, id: first },
          { storeId: shop.storeId, id: second },
        ]);
        await redeliveries().next(shop.storeId, first, 1);
        expect(await redeliveries().open()).not.toContainEqual({ storeId: shop.storeId, id: first });
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` requests that finished more than `days` days ago, and returns how many.', async () => {
        await fail();
        const [old, open] = [await ask(), await ask()];
        await redeliveries().next(shop.storeId, old, 10);
        const before = await redeliveries().purge(30, 1_000);
        expect([before, await redeliveries().get(shop.storeId, old)]).toEqual([0, expect.objectContaining({ id: old })]);
        await shop.world.pass(31 * 86_400);
        const recent = await ask();
        await redeliveries().next(shop.storeId, recent, 10);
        // Requests of earlier tests are as old.
        let removed = 0;
        for (let count = 1; count === 1; removed += count) count = await redeliveries().purge(30, 1);
        expect(removed).toBeGreaterThanOrEqual(1);
        const left = await Promise.all(
          [old, open, recent].map(async (id) => (await redeliveries().get(shop.storeId, id)) !== null),
        );
        expect(left).toEqual([false, true, true]);
      });
    });

    describe('count', () => {
      it('Counts the deliveries of the store that match every filter.', async () => {
        const eventId = await fail();
        await fail();
        const counts = { deliveries: 2, matching: 2, held: [], refused: [], isComplete: true };
        expect(await redeliveries().count(shop.storeId, FAILED)).toEqual({ ...counts, askedAt: TIME });
        expect(await redeliveries().count(shop.storeId, { ...FAILED, eventId })).toMatchObject({ deliveries: 1 });
        expect(await due()).toEqual([]);
      });
      it('Leaves out deliveries whose subscription may not receive them any more, and counts them by reason.', async () => {
        await fail();
        await loseScope();
        const counted = { deliveries: 0, matching: 1, refused: [{ reason: 'not_allowed', count: 1 }] };
        expect(await redeliveries().count(shop.storeId, FAILED)).toMatchObject(counted);
        const ended = { failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: true };
        await shop.ports.deliveries.settle([], [{ ...ended, ...shop.keyOf(shop.its) }]);
        const found = await redeliveries().count(shop.storeId, FAILED);
        expect(found?.refused).toEqual([{ reason: 'deactivated', count: 1 }]);
      });
      it('Counts those that are held by reason.', async () => {
        await fail();
        const open = { failures: 10, failingForSeconds: 0, probeInSeconds: 60, deactivates: false };
        await shop.ports.deliveries.settle([], [{ ...open, ...shop.keyOf(shop.its) }]);
        const held = [{ reason: 'paused_after_failures', count: 1 }];
        expect(await redeliveries().count(shop.storeId, FAILED)).toMatchObject({ deliveries: 1, held, refused: [] });
      });
      it('Stops after it has read 100,000 deliveries.', async () => {
        await shop.world.copyDelivery(await idOf(await fail()), MAX_COUNTED);
        const none: DeliveryFilter = { types: ['ping'] };
        expect(await redeliveries().count(shop.storeId, none)).toMatchObject({ deliveries: 0, isComplete: false });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await redeliveries().count(NOWHERE, FAILED)).toBeNull();
      });
    });
  });
};
