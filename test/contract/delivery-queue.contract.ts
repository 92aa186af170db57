import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { DeliveryQueue } from '../../src/domain/ports/delivery-queue.ts';
import type { QueueWorld } from '../support/queue-nodes.ts';

const until = (assertion: () => void | Promise<void>) => vi.waitFor(assertion, { timeout: 60_000, interval: 5 });

/** Work that notes what it was asked for, and takes until `release` is called where it is held. */
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
    work: { fanOut: (id: string) => note(`fanOut ${id}`), deliver: (id: string) => note(`deliver ${id}`) },
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

    const asks: [string, string, (id: string) => Promise<void>][] = [
      ['fanOut', "asks for the fan-out of a store's events", (id) => queue.fanOut(id)],
      ['deliver', "asks for the subscriptions' due deliveries to be sent", (id) => queue.wake([id])],
    ];
    describe.each(asks)('%s', (method, title, ask) => {
      it(title, async () => {
        const id = randomUUID();
        queue.work(done.work);
        await ask(id);
        await until(() => {
          expect(done.runs).toEqual([`${method} ${id}`]);
        });
      });

      it('asked many times before it begins it runs once', async () => {
        const [id, after] = [randomUUID(), randomUUID()];
        for (let time = 0; time < 5; time += 1) await ask(id);
        await ask(after);
        queue.work(done.work);
        await until(() => {
          expect(done.runs).toContain(`${method} ${after}`);
        });
        expect(done.count(`${method} ${id}`)).toBe(1);
      });

      it('asked while it runs it runs once more afterwards, never twice at once', async () => {
        const [id, after] = [randomUUID(), randomUUID()];
        done.hold();
        queue.work(done.work);
        await ask(id);
        await until(() => {
          expect(done.count(`${method} ${id}`)).toBe(1);
        });
        for (let time = 0; time < 5; time += 1) await ask(id);
        await ask(after);
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

    it('wakes every subscription of the list', async () => {
      const ids = Array.from({ length: 50 }, () => randomUUID());
      queue.work(done.work);
      await queue.wake(ids);
      await until(() => {
        expect([...done.runs].sort()).toEqual(ids.map((id) => `deliver ${id}`).sort());
      });
    });

    it('an empty list asks for nothing', async () => {
      await queue.wake([]);
      expect(await queue.depth()).toBe(0);
    });

    it('wakeLater asks for it so many seconds from now', async () => {
      const [id, sooner] = [randomUUID(), randomUUID()];
      queue.work(done.work);
      await queue.wakeLater(id, 1);
      await queue.wakeLater(sooner, 0.2);
      await world.pass(0.2);
      await until(() => {
        expect(done.runs[0]).toBe(`deliver ${sooner}`);
      });
      await world.pass(0.8);
      await until(() => {
        expect(done.runs).toEqual([`deliver ${sooner}`, `deliver ${id}`]);
      });
    });

    it('a later call for the same subscription replaces the time', async () => {
      const [postponed, hastened, last] = [randomUUID(), randomUUID(), randomUUID()];
      queue.work(done.work);
      await queue.wakeLater(hastened, 3600);
      await queue.wakeLater(postponed, 0.2);
      await queue.wakeLater(postponed, 3600);
      await queue.wakeLater(hastened, 0.2);
      await queue.wakeLater(last, 0.3);
      await world.pass(0.3);
      await until(() => {
        expect(done.runs).toContain(`deliver ${last}`);
      });
      expect(done.count(`deliver ${hastened}`)).toBe(1);
      expect(done.count(`deliver ${postponed}`)).toBe(0);
    });

    it('wakeLater holds up no `wake` in the meantime', async () => {
      const id = randomUUID();
      queue.work(done.work);
      await queue.wakeLater(id, 3600);
      await queue.wake([id]);
      await until(() => {
        expect(done.runs).toEqual([`deliver ${id}`]);
      });
    });

    it('starts to do, on this node, what any node asked for', async () => {
      const id = randomUUID();
      const other = await world.node();
      await other.wake([id]);
      queue.work(done.work);
      await until(() => {
        expect(done.runs).toEqual([`deliver ${id}`]);
      });
    });

    it('work that throws is tried again', async () => {
      const ids: string[] = [];
      const deliver = (id: string) => (ids.push(id) < 4 ? Promise.reject(new Error('not yet')) : Promise.resolve());
      queue.work({ ...done.work, deliver });
      const id = randomUUID();
      await queue.wake([id]);
      for (let times = 1; times <= 4; times += 1) {
        await until(() => {
          expect(ids.length).toBeGreaterThanOrEqual(times);
        });
        await world.pass(5);
      }
      expect(ids).toEqual([id, id, id, id]);
    });

    it('depth is the work that waits to begin, delayed work not counted', async () => {
      await queue.wake([randomUUID(), randomUUID()]);
      await queue.fanOut(randomUUID());
      await queue.wakeLater(randomUUID(), 3600);
      expect(await queue.depth()).toBe(3);
      queue.work(done.work);
      await until(() => {
        expect(done.runs).toHaveLength(3);
      });
      await until(async () => {
        expect(await queue.depth()).toBe(0);
      });
    });

    it('tells whether it can be reached now', async () => {
      expect(await queue.reachable()).toBe(true);
    });

    it('close takes no more work, lets what runs end, and closes', async () => {
      const id = randomUUID();
      const left = Array.from({ length: 5 }, () => randomUUID());
      const other = await world.node();
      done.hold();
      queue.work(done.work);
      await queue.wake([id]);
      await until(() => {
        expect(done.runs).toEqual([`deliver ${id}`]);
      });
      let closed = false;
      const closing = queue.close().then(() => {
        closed = true;
      });
      await other.wake(left);
      expect(closed).toBe(false);
      done.release();
      await closing;
      expect(done.runs).toEqual([`deliver ${id}`]);
      expect(await other.depth()).toBe(left.length);
    });
  });
};
