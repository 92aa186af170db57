import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ImportQueue } from '../../src/domain/ports/import-queue.ts';
import { latch } from '../support/latch.ts';
import type { QueueWorld } from '../support/queue-nodes.ts';

const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 60_000, interval: 5 });

export const importQueueContract = (name: string, open: () => Promise<QueueWorld<ImportQueue>>): void => {
  describe(`import-queue: ${name}`, () => {
    let world: QueueWorld<ImportQueue>;
    let queue: ImportQueue;
    let runs: string[];
    beforeEach(async () => {
      world = await open();
      queue = await world.node();
      runs = [];
    });
    afterEach(() => world.close());
    const note = async (id: string): Promise<void> => {
      runs.push(id);
    };

    it('asks for the imports of every installation of the list; what any node asked for is done on this one', async () => {
      const ids = Array.from({ length: 20 }, () => randomUUID());
      await (await world.node()).ask(ids);
      queue.work(note);
      await until(() => {
        expect([...runs].sort()).toEqual([...ids].sort());
      });
    });
    it('asked many times before it begins it runs once', async () => {
      const [id, after] = [randomUUID(), randomUUID()];
      for (let time = 0; time < 5; time += 1) await queue.ask([id]);
      await queue.ask([after]);
      queue.work(note);
      await until(() => {
        expect(runs).toContain(after);
      });
      expect(runs.filter((run) => run === id)).toHaveLength(1);
    });
    it('asked while it runs it runs once more afterwards, never twice at once', async () => {
      const [id, after, { opened, open: release }] = [randomUUID(), randomUUID(), latch()];
      let [now, most] = [0, 0];
      queue.work(async (run) => {
        runs.push(run);
        if (run !== id) return;
        now += 1;
        most = Math.max(most, now);
        await opened;
        now -= 1;
      });
      await queue.ask([id]);
      await until(() => {
        expect(runs).toEqual([id]);
      });
      for (let time = 0; time < 5; time += 1) await queue.ask([id]);
      await queue.ask([after]);
      await until(() => {
        expect(runs).toEqual([id, after]);
      });
      release();
      await until(() => {
        expect(runs).toEqual([id, after, id]);
      });
      expect(most).toBe(1);
    });
    it('an empty list asks for nothing; depth is the work that waits to begin', async () => {
      await queue.ask([]);
      expect(await queue.depth()).toBe(0);
      await queue.ask([randomUUID(), randomUUID()]);
      expect(await queue.depth()).toBe(2);
    });
    it('work that throws is tried again', async () => {
      queue.work((id) => (runs.push(id) < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()));
      const id = randomUUID();
      await queue.ask([id]);
      for (let times = 1; times <= 3; times += 1) {
        await until(() => {
          expect(runs.length).toBeGreaterThanOrEqual(times);
        });
        await world.pass(5);
      }
      expect(runs).toEqual([id, id, id]);
    });
    it('close takes no more work, lets what runs end, and closes', async () => {
      const [id, left, begun, { opened, open: release }] = [randomUUID(), randomUUID(), latch(), latch()];
      const other = await world.node();
      queue.work(async (run) => {
        begun.open();
        await opened;
        runs.push(run);
      });
      await queue.ask([id]);
      await begun.opened;
      let closed = false;
      const closing = queue.close().then(() => {
        closed = true;
      });
      await other.ask([left]);
      expect(closed).toBe(false);
      release();
      await closing;
      expect(runs).toEqual([id]);
      expect(await other.depth()).toBe(1);
    });
  });
};
