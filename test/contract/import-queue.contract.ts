import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ImportOwner } from '../../src/domain/ports/media/media-import-repository.ts';
import type { ImportQueue } from '../../src/domain/ports/media/import-queue.ts';
import { latch } from '../support/latch.ts';
import type { QueueWorld } from '../support/queue-nodes.ts';

const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 60_000, interval: 5 });

export const importQueueContract = (name: string, open: () => Promise<QueueWorld<ImportQueue>>): void => {
  describe(`ImportQueue on ${name}`, () => {
    let world: QueueWorld<ImportQueue>;
    let queue: ImportQueue;
    let runs: string[];
    beforeEach(async () => {
      world = await open();
      queue = await world.node();
      runs = [];
    });
    afterEach(() => world.close());
    const note = async ({ installationId }: ImportOwner): Promise<void> => {
      runs.push(installationId);
    };
    const storeId = randomUUID();
    const owner = (installationId: string): ImportOwner => ({ storeId, installationId });

    describe('ask', () => {
      it('Requests that the imports of each installation continue.', async () => {
        const ids = Array.from({ length: 20 }, () => randomUUID());
        queue.work(note);
        await queue.ask(ids.map(owner));
        await until(() => {
          expect([...runs].sort()).toEqual([...ids].sort());
        });
      });
      it('Several requests before the work starts make it run once.', async () => {
        const [id, after] = [randomUUID(), randomUUID()];
        for (let time = 0; time < 5; time += 1) await queue.ask([owner(id)]);
        await queue.ask([owner(after)]);
        queue.work(note);
        await until(() => {
          expect(runs).toContain(after);
        });
        expect(runs.filter((run) => run === id)).toHaveLength(1);
      });
      it('A request while the work runs makes it run again afterwards, never twice at once.', async () => {
        const [id, after, { opened, open: release }] = [randomUUID(), randomUUID(), latch()];
        let [now, most] = [0, 0];
        queue.work(async ({ installationId: run }) => {
          runs.push(run);
          if (run !== id) return;
          now += 1;
          most = Math.max(most, now);
          await opened;
          now -= 1;
        });
        await queue.ask([owner(id)]);
        await until(() => {
          expect(runs).toEqual([id]);
        });
        for (let time = 0; time < 5; time += 1) await queue.ask([owner(id)]);
        await queue.ask([owner(after)]);
        await until(() => {
          expect(runs).toEqual([id, after]);
        });
        release();
        await until(() => {
          expect(runs).toEqual([id, after, id]);
        });
        expect(most).toBe(1);
      });
      it('Does nothing for an empty list.', async () => {
        await queue.ask([]);
        expect(await queue.depth()).toBe(0);
      });
    });

    describe('askLater', () => {
      it('Requests the same after this many seconds.', async () => {
        const [id, after] = [randomUUID(), randomUUID()];
        queue.work(note);
        await queue.askLater(owner(id), 5);
        await queue.ask([owner(after)]);
        await until(() => {
          expect(runs).toEqual([after]);
        });
        await world.pass(5);
        await until(() => {
          expect(runs).toEqual([after, id]);
        });
      });
      it('A later call for the same installation replaces the time.', async () => {
        const [id, other] = [randomUUID(), randomUUID()];
        queue.work(note);
        await queue.askLater(owner(id), 5);
        await queue.askLater(owner(id), 3600);
        await queue.askLater(owner(other), 5);
        await world.pass(5);
        await until(() => {
          expect(runs).toEqual([other]);
        });
      });
      it('Does not delay an `ask` in the meantime.', async () => {
        const id = randomUUID();
        queue.work(note);
        await queue.askLater(owner(id), 3600);
        await queue.ask([owner(id)]);
        await until(() => {
          expect(runs).toEqual([id]);
        });
      });
    });

    describe('depth', () => {
      it('Does not count delayed work.', async () => {
        await queue.askLater(owner(randomUUID()), 3600);
        expect(await queue.depth()).toBe(0);
      });
      it('Counts the work that waits to start.', async () => {
        await queue.ask([owner(randomUUID()), owner(randomUUID())]);
        expect(await queue.depth()).toBe(2);
      });
    });

    describe('work', () => {
      it('Starts to do on this node what any node requested.', async () => {
        const [asked, done] = [owner(randomUUID()), [] as ImportOwner[]];
        await (await world.node()).ask([asked]);
        queue.work(async (run) => void done.push(run));
        await until(() => {
          expect(done).toEqual([asked]);
        });
      });
      it('Tries work again that throws.', async () => {
        queue.work(({ installationId }) =>
          runs.push(installationId) < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve(),
        );
        const id = randomUUID();
        await queue.ask([owner(id)]);
        for (let times = 1; times <= 3; times += 1) {
          await until(() => {
            expect(runs.length).toBeGreaterThanOrEqual(times);
          });
          await world.pass(5);
        }
        expect(runs).toEqual([id, id, id]);
      });
    });

    describe('close', () => {
      /** Closes while one installation's work runs. `during` is called before that work may end. */
      const closeWhile = async (id: string, during: () => Promise<void>) => {
        const [begun, { opened, open: release }] = [latch(), latch()];
        queue.work(async ({ installationId }) => {
          begun.open();
          await opened;
          runs.push(installationId);
        });
        await queue.ask([owner(id)]);
        await begun.opened;
        const closing = queue.close().then(() => runs.push('closed'));
        await during();
        release();
        await closing;
      };
      it('Waits for running work.', async () => {
        const id = randomUUID();
        await closeWhile(id, () => Promise.resolve());
        expect(runs).toEqual([id, 'closed']);
      });
      it('Starts no more work.', async () => {
        const [id, other] = [randomUUID(), await world.node()];
        await closeWhile(id, () => other.ask([owner(randomUUID())]));
        expect(runs).toEqual([id, 'closed']);
        expect(await other.depth()).toBe(1);
      });
    });
  });
};
