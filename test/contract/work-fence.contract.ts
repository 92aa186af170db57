import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { WorkFence, WorkHold, Holdable } from '../../src/domain/ports/work-fence.ts';

/** Workers of one implementation, and who stops them. */
export interface FenceWorld {
  /** One more worker. */
  worker(): WorkFence;
  /** One more subscription with an app of its own, or one more app with a store of its own. */
  add(of: Holdable): Promise<string>;
  /** The app of the subscription. */
  appOf(subscriptionId: string): string;
  remove(id: string): Promise<void>;
  /** Stops the subscription, by itself or by its app or store, or the app, and keeps the gate shut until the work is done. `limit` in milliseconds. */
  stop(by: 'subscription' | 'installation' | 'store', id: string, work: () => Promise<void>, limit?: number): Promise<void>;
  close(): Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

const STOPS = { deliveries: ['subscription', 'installation', 'store'], imports: ['installation', 'store'] } as const;

export const workFenceContract = (name: string, open: () => Promise<FenceWorld>): void => {
  describe.each(['deliveries', 'imports'] as const)(`work-fence: ${name}, %s`, (of) => {
    let world: FenceWorld;
    let mine: WorkFence;
    let other: WorkFence;
    let id: string;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      [mine, other] = [world.worker(), world.worker()];
      id = await world.add(of);
      return async () => {
        await Promise.all([mine.close(), other.close()]);
      };
    });
    const held = async (fence: WorkFence, what = id): Promise<WorkHold> => {
      const hold = await fence.hold(what, of);
      if (!hold) throw new Error('not held');
      return hold;
    };

    it('takes it for this worker alone', async () => {
      const hold = await held(mine);
      expect(await hold.mayBegin()).toBe(true);
      expect(hold.signal.aborted).toBe(false);
      expect(await mine.hold(await world.add(of), of)).not.toBeNull();
    });
    it('null when another worker has it, or this one', async () => {
      await held(mine);
      expect(await other.hold(id, of)).toBeNull();
      expect(await mine.hold(id, of)).toBeNull();
      const race = await world.add(of);
      const holds = await Promise.all([mine, other, mine, other].map((fence) => fence.hold(race, of)));
      expect(holds.filter((hold) => hold !== null)).toHaveLength(1);
    });
    it('null when it is gone', async () => {
      await world.remove(id);
      expect(await mine.hold(id, of)).toBeNull();
    });
    it.each(STOPS[of])('null when it is being stopped by its %s; afterwards it can be held', async (by) => {
      await world.stop(by, id, async () => {
        expect(await mine.hold(id, of)).toBeNull();
        expect(await other.hold(id, of)).toBeNull();
      });
      // By each of those that were refused: neither has kept anything of it.
      await (await held(other)).release();
      expect(await mine.hold(id, of)).not.toBeNull();
    });
    it('a stop of one leaves the others be', async () => {
      const hold = await held(mine, await world.add(of));
      await world.stop('installation', id, async () => {
        expect(await other.hold(await world.add(of), of)).not.toBeNull();
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
      expect(await mine.hold(id, of)).toBeNull();
    });
    it.each(STOPS[of])('whoever stops its %s tells the holder, and waits until it has let go', async (by) => {
      const hold = await held(mine);
      let answered = false;
      const stopped = world.stop(by, id, nothing).then(() => (answered = true));
      await aborted(hold.signal);
      expect(await hold.mayBegin()).toBe(false);
      expect(await other.hold(id, of)).toBeNull();
      expect(answered).toBe(false);
      await hold.release();
      await stopped;
    });
    it("one that doesn't answer loses its hold", async () => {
      const hold = await held(mine);
      await world.stop('installation', id, nothing, 200);
      expect(await hold.mayBegin()).toBe(false);
      expect(hold.signal.aborted).toBe(true);
      expect(await other.hold(id, of)).not.toBeNull();
    });
    it('close ends every hold of this process', async () => {
      const [first, second] = [await held(mine), await held(mine, await world.add(of))];
      await mine.close();
      expect([first.signal.aborted, second.signal.aborted]).toEqual([true, true]);
      expect(await first.mayBegin()).toBe(false);
      expect(await other.hold(id, of)).not.toBeNull();
    });
  });

  describe(`work-fence: ${name}`, () => {
    let world: FenceWorld;
    let fence: WorkFence;
    beforeAll(async () => {
      world = await open();
      fence = world.worker();
    });
    afterAll(async () => {
      await fence.close();
      await world.close();
    });

    it('takes the deliveries of the subscription, unless told', async () => {
      const id = await world.add('deliveries');
      const hold = await fence.hold(id);
      expect(await fence.hold(id, 'deliveries')).toBeNull();
      await hold?.release();
    });
    it('of an app its deliveries and its imports can be held at once; whoever stops it stops both', async () => {
      const id = await world.add('deliveries');
      const holds = [await fence.hold(id), await fence.hold(world.appOf(id), 'imports')];
      for (const hold of holds) hold?.signal.addEventListener('abort', () => void hold.release());
      await world.stop('installation', id, nothing);
      expect(holds.map((hold) => hold?.signal.aborted)).toEqual([true, true]);
    });
    it('whoever stops a subscription leaves the imports of its app be', async () => {
      const id = await world.add('deliveries');
      const hold = await fence.hold(world.appOf(id), 'imports');
      await world.stop('subscription', id, nothing);
      expect(await hold?.mayBegin()).toBe(true);
      await hold?.release();
    });
  });
};
