import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { DeliveryQueue } from '../../src/domain/ports/webhooks/delivery-queue.ts';
import type { SubscriptionKey } from '../../src/domain/webhooks/subscription.ts';
import type { QueueWorld } from '../support/queue-nodes.ts';

const until = (assertion: () => void | Promise<void>) => vi.waitFor(assertion, { timeout: 60_000, interval: 5 });

const STORE = randomUUID();
const keyOf = (subscriptionId: string): SubscriptionKey => ({ storeId: STORE, subscriptionId });

/** Work that records its calls. After `hold`, it takes until `release` is called. */
const recorder = () => {
  const runs: string[] = [];
  const now = new Map<string, number>();
  const seen = { most: 0 };
  let held: Promise<void> | undefined;
  let release = (): void => undefined;
  const note = async (what: string) => {
    runs.push(what);
    now.set(what, (now.get(what) ?? 0) + 1);
    seen.most = Math.max(seen.most, now.get(what) ?? 0);
    await held;
    now.set(what, (now.get(what) ?? 0) - 1);
  };
  return {
    work: {
      fanOut: (storeId: string) => note(`fanOut ${storeId}`),
      deliver: ({ storeId, subscriptionId }: SubscriptionKey) =>
        note(`deliver ${subscriptionId}${storeId === STORE ? '' : ` of ${storeId}`}`),
    },
    runs,
    seen,
    count: (what: string) => runs.filter((run) => run === what).length,
    hold: () => {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => {
      held = undefined;
      release();
    },
  };
};

export const deliveryQueueContract = (name: string, open: () => Promise<QueueWorld<DeliveryQueue>>) => {
  describe(`DeliveryQueue on ${name}`, () => {
    let world: QueueWorld<DeliveryQueue>;
    let queue: DeliveryQueue;
    let done: ReturnType<typeof recorder>;
    beforeEach(async () => {
      world = await open();
      queue = await world.node();
      done = recorder();
    });
    afterEach(async () => {
      done.release();
      await world.close();
    });

    describe.each(['fanOut', 'wake'] as const)('%s', (name) => {
      const method = name === 'wake' ? 'deliver' : 'fanOut';
      const request = (id: string) => (name === 'wake' ? queue.wake([keyOf(id)]) : queue.fanOut(id));

      it('Several requests before the work starts make it run once.', async () => {
        const [id, after] = [randomUUID(), randomUUID()];
        for (let time = 0; time < 5; time += 1) await request(id);
        await request(after);
        queue.work(done.work);
        await until(() => {
          expect(done.runs).toContain(`${method} ${after}`);
        });
        expect(done.count(`${method} ${id}`)).toBe(1);
      });

      it('A request while the work runs makes it run again afterwards, never twice at once.', async () => {
        const [id, after] = [randomUUID(), randomUUID()];
        done.hold();
        queue.work(done.work);
        await request(id);
        await until(() => {
          expect(done.count(`${method} ${id}`)).toBe(1);
        });
        for (let time = 0; time < 5; time += 1) await request(id);
        await request(after);
        await until(() => {
          expect(done.count(`${method} ${after}`)).toBe(1);
        });
        expect(done.count(`${method} ${id}`)).toBe(1);
        done.release();
        await until(() => {
          expect(done.count(`${method} ${id}`)).toBe(2);
        });
        expect(done.seen.most).toBe(1);
      });
    });

    describe('fanOut', () => {
      it("Requests the fan-out of the store's events.", async () => {
        const id = randomUUID();
        queue.work(done.work);
        await queue.fanOut(id);
        await until(() => {
          expect(done.runs).toEqual([`fanOut ${id}`]);
        });
      });
    });

    describe('wake', () => {
      it('Requests that the due deliveries of each subscription are sent.', async () => {
        const ids = Array.from({ length: 50 }, () => randomUUID());
        queue.work(done.work);
        await queue.wake(ids.map(keyOf));
        await until(() => {
          expect([...done.runs].sort()).toEqual(ids.map((id) => `deliver ${id}`).sort());
        });
      });

      it('Does nothing for an empty list.', async () => {
        await queue.wake([]);
        expect(await queue.depth()).toBe(0);
      });
    });

    describe('wakeLater', () => {
      it('Requests the same after this many seconds.', async () => {
        const [id, sooner] = [randomUUID(), randomUUID()];
        queue.work(done.work);
        await queue.wakeLater(keyOf(id), 1);
        await queue.wakeLater(keyOf(sooner), 0.2);
        await world.pass(0.2);
        await until(() => {
          expect(done.runs[0]).toBe(`deliver ${sooner}`);
        });
        await world.pass(0.8);
        await until(() => {
          expect(done.runs).toEqual([`deliver ${sooner}`, `deliver ${id}`]);
        });
      });

      it('A later call for the same subscription replaces the time.', async () => {
        const [postponed, hastened, last] = [randomUUID(), randomUUID(), randomUUID()];
        queue.work(done.work);
        await queue.wakeLater(keyOf(hastened), 3600);
        await queue.wakeLater(keyOf(postponed), 0.2);
        await queue.wakeLater(keyOf(postponed), 3600);
        await queue.wakeLater(keyOf(hastened), 0.2);
        await queue.wakeLater(keyOf(last), 0.3);
        await world.pass(0.3);
        await until(() => {
          expect(done.runs).toContain(`deliver ${last}`);
        });
        expect(done.count(`deliver ${hastened}`)).toBe(1);
        expect(done.count(`deliver ${postponed}`)).toBe(0);
      });

      it('Does not delay a `wake` in the meantime.', async () => {
        const id = randomUUID();
        queue.work(done.work);
        await queue.wakeLater(keyOf(id), 3600);
        await queue.wake([keyOf(id)]);
        await until(() => {
          expect(done.runs).toEqual([`deliver ${id}`]);
        });
      });
    });

    describe('work', () => {
      it('Starts to do on this node what any node requested.', async () => {
        const id = randomUUID();
        const other = await world.node();
        await other.wake([keyOf(id)]);
        queue.work(done.work);
        await until(() => {
          expect(done.runs).toEqual([`deliver ${id}`]);
        });
      });

      it('Tries work again that throws.', async () => {
        const ids: string[] = [];
        const deliver = ({ subscriptionId }: SubscriptionKey) =>
          ids.push(subscriptionId) < 4 ? Promise.reject(new Error('not yet')) : Promise.resolve();
        queue.work({ ...done.work, deliver });
        const id = randomUUID();
        await queue.wake([keyOf(id)]);
        for (let times = 1; times <= 4; times += 1) {
          await until(() => {
            expect(ids.length).toBeGreaterThanOrEqual(times);
          });
          await world.pass(5);
        }
        expect(ids).toEqual([id, id, id, id]);
      });
    });

    describe('depth', () => {
      it('Counts the work that waits to start.', async () => {
        await queue.wake([randomUUID(), randomUUID()].map(keyOf));
        await queue.fanOut(randomUUID());
        expect(await queue.depth()).toBe(3);
        queue.work(done.work);
        await until(() => {
          expect(done.runs).toHaveLength(3);
        });
        await until(async () => {
          expect(await queue.depth()).toBe(0);
        });
      });
      it('Does not count delayed work.', async () => {
        await queue.wakeLater(keyOf(randomUUID()), 3600);
        expect(await queue.depth()).toBe(0);
      });
    });

    describe('reachable', () => {
      it('Returns whether the queue takes a write now.', async () => {
        expect(await queue.reachable()).toBe(true);
      });
    });

    describe('close', () => {
      it('Waits for running work.', async () => {
        const id = randomUUID();
        done.hold();
        queue.work(done.work);
        await queue.wake([keyOf(id)]);
        await until(() => {
          expect(done.runs).toEqual([`deliver ${id}`]);
        });
        let closed = false;
        const closing = queue.close().then(() => {
          closed = true;
        });
        await (await world.node()).depth();
        expect(closed).toBe(false);
        done.release();
        await closing;
        expect(closed).toBe(true);
      });
      it('Starts no more work.', async () => {
        const [id, waiting] = [randomUUID(), Array.from({ length: 5 }, () => randomUUID())];
        const other = await world.node();
        done.hold();
        queue.work(done.work);
        await queue.wake([keyOf(id)]);
        await until(() => {
          expect(done.runs).toEqual([`deliver ${id}`]);
        });
        const closing = queue.close();
        await other.wake(waiting.map(keyOf));
        done.release();
        await closing;
        expect(done.runs).toEqual([`deliver ${id}`]);
        expect(await other.depth()).toBe(waiting.length);
      });
    });
  });
};
