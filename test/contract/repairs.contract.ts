import { describe, expect, it } from 'vitest';

import type { RepairableName } from '../../src/domain/insight/invariants.ts';
import type { Repaired } from '../../src/domain/ports/insight/repairs.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const DAY = 86_400;

export const repairsContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`Repairs on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const repair = async (invariant: RepairableName, deliverSeconds = DAY): Promise<Repaired> =>
      (await shop.ports.repairs.repair(invariant, { after: null, limit: 10_000, deliverSeconds })) ?? expect.fail('no page');
    const fanOut = () => shop.ports.deliveries.fanOut(shop.storeId, 50);
    const feed = async (): Promise<string[]> => {
      const query = { storeId: shop.storeId, installationId: null, types: null, after: null, take: 250 };
      const page = await shop.ports.eventFeed.read(query);
      if (page?.kind !== 'page') throw new Error('no page of the feed');
      return page.bodies.map((body) => (JSON.parse(body) as { id: string }).id);
    };
    const violated = async (invariant: RepairableName): Promise<number | undefined> =>
      (await shop.ports.invariants.check(invariant, 10_000, 550))?.violated;
    const dueOf = (subscriptionId: string) => shop.ports.deliveries.due(shop.keyOf(subscriptionId), 100, []);
    /** An app that gets none of the events of `append` until it has the scope. */
    const withoutScope = async () => {
      const app = await shop.install(['read_products']);
      return { app, subscription: await shop.subscribe(app, ['order.paid']) };
    };

    it('A repair changes nothing that violates no invariant.', async () => {
      await shop.append({}, {});
      await fanOut();
      await shop.append({});
      const [before, due] = [await feed(), await dueOf(shop.its)];
      expect(await repair('events_placed')).toMatchObject({ repaired: 0, storeIds: [], subscriptions: [], next: null });
      expect(await repair('pending_queued')).toMatchObject({ repaired: 0, subscriptions: [] });
      expect(await feed()).toEqual(before);
      expect((await dueOf(shop.its)).map(({ id }) => id)).toEqual(due.map(({ id }) => id));
      expect(await fanOut()).toMatchObject({ events: 1 });
    });

    describe('repair', () => {
      it('For `events_placed`, gives each event that has no place in the feed of its store, and waits for none, the next position, in the order in which the events were recorded.', async () => {
        const first = await shop.append({});
        await fanOut();
        const ids = [...first, ...(await shop.append({})), ...(await shop.append({})), ...(await shop.append({}))];
        await fanOut();
        await shop.world.violate('events_placed', shop.storeId);
        const waiting = await shop.append({});
        expect(await violated('events_placed')).toBe(4);
        expect(await repair('events_placed')).toMatchObject({ repaired: 4, storeIds: [shop.storeId] });
        expect(await violated('events_placed')).toBe(0);
        await fanOut();
        expect((await feed()).slice(-5)).toEqual([...ids, ...waiting]);
      });
      it('Gives no place to a `ping`.', async () => {
        const [id = ''] = await shop.append({ type: 'ping' });
        await fanOut();
        await shop.world.violate('events_placed', shop.storeId);
        await repair('events_placed');
        expect(await feed()).not.toContain(id);
      });
      it('Creates the deliveries of such an event as a fan-out does, if there are not any.', async () => {
        const { app, subscription } = await withoutScope();
        const [id] = await shop.append({ type: 'order.paid' });
        await fanOut();
        await shop.world.violate('events_placed', shop.storeId);
        await shop.world.setApp(app, { scopes: ['read_orders'] });
        expect(await repair('events_placed')).toMatchObject({ repaired: 1, subscriptions: [shop.keyOf(subscription)] });
        expect((await dueOf(subscription)).map(({ eventId }) => eventId)).toEqual([id]);
      });
      describe('Creates none for an event that has deliveries, or is older than `deliverSeconds`.', () => {
        it('that has deliveries', async () => {
          const { app, subscription } = await withoutScope();
          await shop.subscribe(null, ['order.paid']);
          await shop.append({ type: 'order.paid' });
          await fanOut();
          await shop.world.violate('events_placed', shop.storeId);
          await shop.world.setApp(app, { scopes: ['read_orders'] });
          expect(await repair('events_placed')).toMatchObject({ repaired: 1, subscriptions: [] });
          expect(await dueOf(subscription)).toEqual([]);
        });
        it('that is older', async () => {
          const { app, subscription } = await withoutScope();
          await shop.append({ type: 'order.paid' });
          await fanOut();
          await shop.world.violate('events_placed', shop.storeId);
          await shop.world.setApp(app, { scopes: ['read_orders'] });
          await shop.world.pass(60);
          expect(await repair('events_placed', 59)).toMatchObject({ repaired: 1, subscriptions: [] });
          expect(await dueOf(subscription)).toEqual([]);
        });
      });
      it('For `pending_queued`, makes each pending delivery that is not queued due again, with a new schedule.', async () => {
        await shop.append({});
        await fanOut();
        const [delivery] = await dueOf(shop.its);
        const retry = { kind: 'retry', inSeconds: 1 } as const;
        await shop.ports.deliveries.settle([shop.attempt(delivery?.id ?? '', retry)], []);
        await shop.world.violate('pending_queued', shop.storeId);
        expect(await dueOf(shop.its)).toEqual([]);
        const found = await repair('pending_queued');
        expect(found.repaired).toBe(2);
        expect(found.subscriptions).toHaveLength(2);
        expect(found.subscriptions).toEqual(expect.arrayContaining([shop.keyOf(shop.its), shop.keyOf(shop.own)]));
        expect(await dueOf(shop.its)).toMatchObject([{ id: delivery?.id, attempts: 1, tries: 0 }]);
        expect(await violated('pending_queued')).toBe(0);
      });
      it('Ends it as Dropped if its subscription may not receive the event any more.', async () => {
        await shop.append({});
        await fanOut();
        const [delivery] = await dueOf(shop.its);
        await shop.world.violate('pending_queued', shop.storeId);
        await shop.world.setApp(shop.appId, { status: 'Uninstalled' });
        expect(await repair('pending_queued')).toMatchObject({ repaired: 2, subscriptions: [shop.keyOf(shop.own)] });
        expect(await shop.ports.deliveryLog.get(shop.storeId, delivery?.id ?? '')).toMatchObject({
          status: 'Dropped',
          error: 'dropped',
        });
        expect(await violated('pending_queued')).toBe(0);
      });
      it.each(['events_placed', 'pending_queued'] as const)(
        'Looks at no more than `limit` rows, always in the same order, and says where the next page begins.: %s',
        async (invariant) => {
          const all = await repair(invariant);
          await shop.append({}, {}, {});
          await fanOut();
          await shop.world.violate(invariant, shop.storeId);
          let [counted, repaired] = [0, 0];
          for (let after: string | null = null; ;) {
            const page: Repaired | null = await shop.ports.repairs.repair(invariant, { after, limit: 2, deliverSeconds: DAY });
            counted += page?.counted ?? 0;
            repaired += page?.repaired ?? 0;
            expect(page?.counted).toBeLessThanOrEqual(2);
            after = page?.next ?? null;
            if (after === null) break;
          }
          const made = invariant === 'events_placed' ? 3 : 6;
          expect([counted, repaired]).toEqual([all.counted + made, made]);
          expect(await violated(invariant)).toBe(0);
        },
      );
      it.each(['events_placed', 'pending_queued'] as const)(
        'Returns null for an `after` that is not the `next` of a page.: %s',
        async (invariant) => {
          const page = { after: '2026-13-41T00:00:00.000Z/x', limit: 2, deliverSeconds: DAY };
          expect(await shop.ports.repairs.repair(invariant, page)).toBeNull();
        },
      );
    });
  });
};
