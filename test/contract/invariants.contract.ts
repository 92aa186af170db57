import { describe, expect, it } from 'vitest';

import { INVARIANT_NAMES, type InvariantName } from '../../src/domain/insight/invariants.ts';
import type { Counted } from '../../src/domain/ports/insight/invariants.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const ALL = 10_000;

export const invariantsContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`Invariants on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const check = async (invariant: InvariantName, limit = ALL): Promise<Counted> =>
      (await shop.ports.invariants.check(invariant, limit, 550)) ?? expect.fail(`${invariant} did not end`);
    /** Seven events with two deliveries each. */
    const fill = async (): Promise<void> => {
      await shop.append(...Array.from({ length: 7 }, () => ({})));
      await shop.ports.deliveries.fanOut(shop.storeId, 10);
    };

    describe('check', () => {
      it('Returns null when the check does not end within `timeoutMs`.', async () => {
        expect(await shop.world.whileSlow(({ invariants }) => invariants.check('events_placed', ALL, 20))).toBeNull();
      });
      it('Looks at no more than `limit` rows, and says whether there may be more.', async () => {
        await fill();
        expect(await check('pending_queued', 3)).toMatchObject({ counted: 3, isSample: true });
        const all = await check('pending_queued');
        expect(all.counted).toBeGreaterThanOrEqual(14);
        for (const invariant of INVARIANT_NAMES)
          expect([invariant, (await check(invariant)).isSample]).toEqual([invariant, false]);
      });
      describe('Counts the rows that violate the invariant, and names at most five.', () => {
        it('none where work goes its way', async () => {
          await fill();
          const [first] = await shop.ports.deliveries.due(shop.keyOf(shop.its), 1, []);
          await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'delivered' })], []);
          await shop.append({});
          for (const invariant of INVARIANT_NAMES) expect([invariant, (await check(invariant)).violated]).toEqual([invariant, 0]);
        });
        it.each([
          ['feed_without_gaps', 1],
          ['events_placed', 7],
          ['pending_queued', 14],
          ['attempts_recorded', 14],
          ['deliveries_served', 14],
          ['events_fanned_out', 7],
          ['queue_pending', 14],
          ['keys_have_runners', 2],
          ['audit_chained', 1],
        ] as const)('%s', async (invariant, violations) => {
          await fill();
          const before = await check(invariant);
          await shop.world.violate(invariant, shop.storeId);
          const after = await check(invariant);
          expect(after.violated - before.violated).toBe(violations);
          expect(after.examples).toHaveLength(Math.min(5, after.violated));
        });
      });
      it('Has nothing against a delivery that waits for an earlier one of its resource.', async () => {
        const key = shop.keyOf(await shop.subscribe(null, ['order.paid'], { order: 'resource' }));
        await shop.append({ type: 'order.paid' }, { type: 'order.paid' });
        await shop.ports.deliveries.fanOut(shop.storeId, 10);
        const [first] = await shop.ports.deliveries.due(key, 10, []);
        await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'retry', inSeconds: 3_600 })], []);
        await shop.world.pass(400);
        const { violated } = await check('deliveries_served');
        await shop.ports.deliveries.settle([shop.attempt(first?.id ?? '', { kind: 'delivered' }, 2)], []);
        expect((await check('deliveries_served')).violated).toBe(violated + 1);
      });
      describe('Looks first at the work that is due for the longest time.', () => {
        it('deliveries', async () => {
          await fill();
          const { violated } = await check('deliveries_served');
          await shop.world.violate('deliveries_served', shop.storeId);
          await fill();
          expect((await check('deliveries_served', violated + 14)).violated).toBe(violated + 14);
        });
        it('events', async () => {
          await fill();
          const { violated, counted } = await check('events_fanned_out');
          await shop.world.violate('events_fanned_out', shop.storeId);
          await shop.append({}, {}, {});
          expect((await check('events_fanned_out', counted + 7)).violated).toBe(violated + 7);
        });
      });
    });
  });
};
