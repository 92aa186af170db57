import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { DeliveryFence, DeliveryHold } from '../../src/domain/ports/delivery-fence.ts';

/** Workers of one implementation, and who stops them. */
export interface FenceWorld {
  /** One more worker. */
  worker(): DeliveryFence;
  /** One more subscription; each has its own app. */
  aSubscription(): Promise<string>;
  remove(subscriptionId: string): Promise<void>;
  /** Stops the subscription, by itself or by its app or store, and keeps the gate shut until the work is done. `limit` in milliseconds. */
  stop(
    by: 'subscription' | 'installation' | 'store',
    subscriptionId: string,
    work: () => Promise<void>,
    limit?: number,
  ): Promise<void>;
  close(): Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

export const deliveryFenceContract = (name: string, open: () => Promise<FenceWorld>): void => {
  describe(`delivery-fence: ${name}`, () => {
    let world: FenceWorld;
    let mine: DeliveryFence;
    let other: DeliveryFence;
    let id: string;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      [mine, other] = [world.worker(), world.worker()];
      id = await world.aSubscription();
      return async () => {
        await Promise.all([mine.close(), other.close()]);
      };
    });
    const held = async (fence: DeliveryFence, subscriptionId = id): Promise<DeliveryHold> => {
      const hold = await fence.hold(subscriptionId);
      if (!hold) throw new Error('not held');
      return hold;
    };

    it('takes the subscription for this worker alone', async () => {
      const hold = await held(mine);
      expect(await hold.mayBegin()).toBe(true);
      expect(hold.signal.aborted).toBe(false);
      expect(await mine.hold(await world.aSubscription())).not.toBeNull();
    });
    it('null when another worker has it, or this one', async () => {
      await held(mine);
      expect(await other.hold(id)).toBeNull();
      expect(await mine.hold(id)).toBeNull();
      const race = await world.aSubscription();
      const holds = await Promise.all([mine, other, mine, other].map((fence) => fence.hold(race)));
      expect(holds.filter((hold) => hold !== null)).toHaveLength(1);
    });
    it('null when it is gone', async () => {
      await world.remove(id);
      expect(await mine.hold(id)).toBeNull();
    });
    it.each(['subscription', 'installation', 'store'] as const)(
      'null when it is being stopped by its %s; afterwards it can be held',
      async (by) => {
        await world.stop(by, id, async () => {
          expect(await mine.hold(id)).toBeNull();
          expect(await other.hold(id)).toBeNull();
        });
        // By each of those that were refused: neither has kept anything of it.
        await (await held(other)).release();
        expect(await mine.hold(id)).not.toBeNull();
      },
    );
    it('a stop of one leaves the others be', async () => {
      const hold = await held(mine, await world.aSubscription());
      await world.stop('installation', id, async () => {
        expect(await other.hold(await world.aSubscription())).not.toBeNull();
      });
      expect(await hold.mayBegin()).toBe(true);
    });
    it('release ends the hold: another may have it, and nothing begins under it any more', async () => {
      const hold = await held(mine);
      await hold.release();
      expect(await hold.mayBegin()).toBe(false);
      const next = await held(other);
      await hold.release();
      expect(await next.mayBegin()).toBe(true);
      expect(await mine.hold(id)).toBeNull();
    });
    it.each(['subscription', 'installation', 'store'] as const)(
      'whoever stops its %s tells the holder, and waits until it has let go',
      async (by) => {
        const hold = await held(mine);
        let answered = false;
        const stopped = world.stop(by, id, nothing).then(() => (answered = true));
        await aborted(hold.signal);
        expect(await hold.mayBegin()).toBe(false);
        expect(await other.hold(id)).toBeNull();
        expect(answered).toBe(false);
        await hold.release();
        await stopped;
      },
    );
    it("one that doesn't answer loses its hold", async () => {
      const hold = await held(mine);
      await world.stop('subscription', id, nothing, 200);
      expect(await hold.mayBegin()).toBe(false);
      expect(hold.signal.aborted).toBe(true);
      expect(await other.hold(id)).not.toBeNull();
    });
    it('close ends every hold of this process', async () => {
      const [first, second] = [await held(mine), await held(mine, await world.aSubscription())];
      await mine.close();
      expect([first.signal.aborted, second.signal.aborted]).toEqual([true, true]);
      expect(await first.mayBegin()).toBe(false);
      expect(await other.hold(id)).not.toBeNull();
    });
  });
};
