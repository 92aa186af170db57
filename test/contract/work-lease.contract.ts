import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { Leasable, WorkLeases, Lease, LeasedWork } from '../../src/domain/ports/work-lease.ts';
import { beforeAll } from './hooks.ts';

/** Workers of one implementation, and a way to stop them. */
export interface LeaseWorld {
  /** Adds a worker. */
  worker(): WorkLeases;
  /** Adds a subscription with its app, or an app with its store. */
  add(work: LeasedWork): Promise<Leasable>;
  /** The app of the subscription. */
  appOf(subscription: Leasable): Leasable;
  remove(of: Leasable): Promise<void>;
  /**
   * Stops the subscription (by itself, its app or its store) or the app, and blocks new leases
   * until the work is done. `limit` in milliseconds.
   */
  stop(by: 'subscription' | 'installation' | 'store', of: Leasable, work: () => Promise<void>, limit?: number): Promise<void>;
  close(): Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

const STOPS = { deliveries: ['subscription', 'installation', 'store'], imports: ['installation', 'store'] } as const;

export const workLeaseContract = (name: string, open: () => Promise<LeaseWorld>): void => {
  describe.each(['deliveries', 'imports'] as const)(`WorkLeases on ${name}, %s`, (work) => {
    let world: LeaseWorld;
    let mine: WorkLeases;
    let other: WorkLeases;
    let its: Leasable;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      [mine, other] = [world.worker(), world.worker()];
      its = await world.add(work);
      return async () => {
        await Promise.all([mine.close(), other.close()]);
      };
    });
    const leased = async (leases: WorkLeases, what = its): Promise<Lease> => {
      const lease = await leases.acquire(work, what);
      if (!lease) throw new Error('the lease was not acquired');
      return lease;
    };

    describe('acquire', () => {
      it('Takes the work for this worker alone.', async () => {
        const lease = await leased(mine);
        expect(await lease.mayBegin()).toBe(true);
        expect(lease.signal.aborted).toBe(false);
        expect(await mine.acquire(work, await world.add(work))).not.toBeNull();
      });
      it('Returns null when a worker has it already.', async () => {
        await leased(mine);
        expect(await other.acquire(work, its)).toBeNull();
        expect(await mine.acquire(work, its)).toBeNull();
        const race = await world.add(work);
        const leases = await Promise.all([mine, other, mine, other].map((worker) => worker.acquire(work, race)));
        expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
      });
      it('Returns null when the store does not have it.', async () => {
        const { storeId } = await world.add(work);
        expect(await mine.acquire(work, { ...its, storeId })).toBeNull();
        await world.remove(its);
        expect(await mine.acquire(work, its)).toBeNull();
      });
      it.each(STOPS[work])('Returns null while it is being stopped: %s', async (by) => {
        await world.stop(by, its, async () => {
          expect(await mine.acquire(work, its)).toBeNull();
          expect(await other.acquire(work, its)).toBeNull();
        });
        // By each of those that were refused: neither has kept a lock.
        await (await leased(other)).release();
        expect(await mine.acquire(work, its)).not.toBeNull();
      });
    });
    it('A stop does not affect other subscriptions and apps.', async () => {
      const lease = await leased(mine, await world.add(work));
      await world.stop('installation', its, async () => {
        expect(await other.acquire(work, await world.add(work))).not.toBeNull();
      });
      expect(await lease.mayBegin()).toBe(true);
    });
    describe('signal', () => {
      it('Aborted when the work must stop, or when the lease is lost.', async () => {
        const [stopped, lost] = [await leased(mine), await leased(other, await world.add(work))];
        expect([stopped.signal.aborted, lost.signal.aborted]).toEqual([false, false]);
        const stop = world.stop('installation', its, nothing);
        await aborted(stopped.signal);
        await stopped.release();
        await stop;
        await other.close();
        expect(lost.signal.aborted).toBe(true);
      });
    });

    describe('mayBegin', () => {
      it('Returns whether an attempt or a fetch may begin now.', async () => {
        const lease = await leased(mine);
        expect(await lease.mayBegin()).toBe(true);
        await lease.release();
        expect(await lease.mayBegin()).toBe(false);
      });
      it('Returns false when the lease is lost.', async () => {
        const lease = await leased(mine);
        await world.stop('installation', its, nothing, 200);
        expect(await lease.mayBegin()).toBe(false);
      });
    });

    describe('release', () => {
      it('Ends the lease, so that another worker can acquire it.', async () => {
        await (await leased(mine)).release();
        expect(await other.acquire(work, its)).not.toBeNull();
      });
      it('Does nothing when it is repeated.', async () => {
        const lease = await leased(mine);
        await lease.release();
        const next = await leased(other);
        await lease.release();
        expect(await next.mayBegin()).toBe(true);
        expect(await mine.acquire(work, its)).toBeNull();
      });
    });

    it.each(STOPS[work])('A stop has the leaseholder stop, and waits for it: %s', async (by) => {
      const lease = await leased(mine);
      let answered = false;
      const stopped = world.stop(by, its, nothing).then(() => (answered = true));
      await aborted(lease.signal);
      expect(await lease.mayBegin()).toBe(false);
      expect(await other.acquire(work, its)).toBeNull();
      expect(answered).toBe(false);
      await lease.release();
      await stopped;
    });
    it('A leaseholder that does not answer loses its lease.', async () => {
      const lease = await leased(mine);
      await world.stop('installation', its, nothing, 200);
      expect(await lease.mayBegin()).toBe(false);
      expect(lease.signal.aborted).toBe(true);
      expect(await other.acquire(work, its)).not.toBeNull();
    });
    describe('close', () => {
      it('Ends every lease of this process.', async () => {
        const [first, second] = [await leased(mine), await leased(mine, await world.add(work))];
        await mine.close();
        expect([first.signal.aborted, second.signal.aborted]).toEqual([true, true]);
        expect(await first.mayBegin()).toBe(false);
        expect(await other.acquire(work, its)).not.toBeNull();
      });
    });
  });

  describe(`WorkLeases on ${name}`, () => {
    let world: LeaseWorld;
    let worker: WorkLeases;
    beforeAll(async () => {
      world = await open();
      worker = world.worker();
    });
    afterAll(async () => {
      await worker.close();
      await world.close();
    });

    it('A stop of an app stops its deliveries and its imports.', async () => {
      const its = await world.add('deliveries');
      const leases = [await worker.acquire('deliveries', its), await worker.acquire('imports', world.appOf(its))];
      for (const lease of leases) lease?.signal.addEventListener('abort', () => void lease.release());
      await world.stop('installation', its, nothing);
      expect(leases.map((lease) => lease?.signal.aborted)).toEqual([true, true]);
    });
    it('A stop of a subscription does not stop the imports of its app.', async () => {
      const its = await world.add('deliveries');
      const lease = await worker.acquire('imports', world.appOf(its));
      await world.stop('subscription', its, nothing);
      expect(await lease?.mayBegin()).toBe(true);
      await lease?.release();
    });
  });
};
