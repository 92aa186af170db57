import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { WorkSignal } from '../../src/adapters/bullmq/work-signal.ts';
import type { Subject } from '../../src/adapters/bullmq/work-task.ts';

const INTERVAL_MS = 10;

const subjectOf = (id: string): Subject => ({ id });

describe('a work signal', () => {
  /** Work that ran here, work that was passed to the queue, and the keys of failed work. */
  let ran: string[];
  let nudged: string[];
  let failed: (string | undefined)[];
  let nudging: () => Promise<void>;
  let doing: (id: string) => Promise<void>;
  let signal: WorkSignal<'paced' | 'plain'>;

  const works = (): void => {
    const perform = async ({ id }: Subject): Promise<void> => {
      ran.push(id);
      await doing(id);
    };
    signal.work({ paced: perform, plain: perform });
  };
  const paced = (...ids: string[]): Promise<void> => signal.request('paced', ids.map(subjectOf));
  const plain = (...ids: string[]): Promise<void> => signal.request('plain', ids.map(subjectOf));
  /** Work that runs until it is ended, the oldest first. */
  const running: (() => void)[] = [];
  const untilEnded = (): Promise<void> => new Promise((resolve) => running.push(resolve));
  const end = async (): Promise<void> => {
    running.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    [ran, nudged, failed] = [[], [], []];
    running.length = 0;
    nudging = () => Promise.resolve();
    doing = () => Promise.resolve();
    signal = new WorkSignal<'paced' | 'plain'>({
      nudge: (name, subjects) => {
        nudged.push(...subjects.map(({ id }) => `${name} ${id}`));
        return nudging();
      },
      capacity: 2,
      minIntervalMs: { paced: INTERVAL_MS },
      onError: (_, work) => failed.push(work),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  describe('rate', () => {
    it('runs the first request at once, and each piece of work by itself', async () => {
      works();
      void paced('a', 'b');
      expect(ran).toEqual(['a', 'b']);
    });
    it.each([
      ['runs', () => ran],
      ['nudges', () => nudged],
    ])('requested every millisecond of a second, %s 100 times and once for the last', async (what, done) => {
      if (what === 'runs') works();
      for (let n = 0; n < 1000; n += 1) {
        void paced('a');
        await vi.advanceTimersByTimeAsync(1);
      }
      expect(done()).toHaveLength(101);
      await vi.advanceTimersByTimeAsync(1000);
      expect(done()).toHaveLength(101);
    });
    it('a request soon after a start runs when the interval ends', async () => {
      works();
      void paced('a');
      await vi.advanceTimersByTimeAsync(1);
      void paced('a');
      await vi.advanceTimersByTimeAsync(INTERVAL_MS - 2);
      expect(ran).toEqual(['a']);
      await vi.advanceTimersByTimeAsync(1);
      expect(ran).toEqual(['a', 'a']);
    });
    it('work that takes longer than its interval does not wait again', async () => {
      works();
      doing = untilEnded;
      void paced('a');
      await vi.advanceTimersByTimeAsync(INTERVAL_MS);
      void paced('a');
      await end();
      expect(ran).toEqual(['a', 'a']);
    });
    it('work without an interval starts again at once', async () => {
      works();
      await plain('a');
      await vi.advanceTimersByTimeAsync(0);
      await plain('a');
      await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
      expect(ran).toEqual(['a', 'a']);
    });
    it('work that fails keeps its interval', async () => {
      works();
      doing = () => Promise.reject(new Error('no'));
      void paced('a');
      await vi.advanceTimersByTimeAsync(1);
      void paced('a');
      await vi.advanceTimersByTimeAsync(1);
      expect(ran).toEqual(['a']);
    });
    it('remembers nothing of work that is at rest', async () => {
      works();
      void paced('a');
      await vi.advanceTimersByTimeAsync(INTERVAL_MS);
      void paced('a');
      expect(ran).toEqual(['a', 'a']);
    });
  });

  describe('never twice at once on this node', () => {
    it('requested while it runs, it runs once again afterwards', async () => {
      works();
      doing = untilEnded;
      for (let n = 0; n < 5; n += 1) await plain('a');
      expect(ran).toEqual(['a']);
      await end();
      expect(ran).toEqual(['a', 'a']);
      await end();
      expect([ran, nudged]).toEqual([['a', 'a'], []]);
    });
    it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
      'a request %i microtasks after the start is never noted and forgotten',
      async (ticks) => {
        works();
        await plain('a');
        for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
        await plain('a');
        await vi.advanceTimersByTimeAsync(0);
        expect(ran).toEqual(['a', 'a']);
      },
    );
    it('a job of the queue waits for what runs, and for its own run', async () => {
      works();
      doing = untilEnded;
      await plain('a');
      let done = false;
      void signal.run('plain', { id: 'a' }).then(() => (done = true));
      await end();
      expect([ran, done]).toEqual([['a', 'a'], false]);
      await end();
      expect([ran, done]).toEqual([['a', 'a'], true]);
    });
    it('a job of the queue starts at once when nothing runs, and notes requests', async () => {
      works();
      doing = untilEnded;
      void signal.run('plain', { id: 'a' });
      await plain('a');
      expect([ran, nudged]).toEqual([['a'], []]);
      await end();
      expect(ran).toEqual(['a', 'a']);
    });
  });

  describe('here or elsewhere', () => {
    it('a node that does not work passes everything to the queue, together', async () => {
      await plain('a', 'b');
      expect(nudged).toEqual(['plain a', 'plain b']);
    });
    it('a node passes on what exceeds its capacity, and runs again when it has room', async () => {
      works();
      doing = untilEnded;
      await plain('a', 'b', 'c');
      expect([ran, nudged]).toEqual([['a', 'b'], ['plain c']]);
      await end();
      await plain('d');
      expect([ran, nudged]).toEqual([['a', 'b', 'd'], ['plain c']]);
    });
    it('runs a job of the queue even without capacity', async () => {
      works();
      doing = untilEnded;
      await plain('a', 'b');
      void signal.run('plain', { id: 'c' });
      expect(ran).toEqual(['a', 'b', 'c']);
    });
    it('a job finds work that rests after a nudge, and runs here after the rest', async () => {
      works();
      doing = untilEnded;
      await plain('x', 'y');
      await paced('a');
      void signal.run('paced', { id: 'a' });
      await vi.advanceTimersByTimeAsync(INTERVAL_MS);
      expect([ran, nudged]).toEqual([['x', 'y', 'a'], ['paced a']]);
    });
    it('a request rejects when the queue cannot be reached', async () => {
      nudging = () => Promise.reject(new Error('away'));
      await expect(plain('a')).rejects.toThrow('away');
      await expect(paced('a')).rejects.toThrow('away');
    });
    it('a later nudge that fails is reported', async () => {
      await paced('a');
      nudging = () => Promise.reject(new Error('away'));
      await paced('a');
      await vi.advanceTimersByTimeAsync(INTERVAL_MS);
      expect([nudged, failed]).toEqual([['paced a', 'paced a'], ['paced:a']]);
    });
    it('the queue gets what fails here, and it is reported', async () => {
      works();
      doing = () => Promise.reject(new Error('no'));
      await plain('a');
      await vi.advanceTimersByTimeAsync(0);
      expect([failed, nudged]).toEqual([['plain:a'], ['plain a']]);
    });
    it('a job that fails rejects, and is not added again', async () => {
      works();
      doing = () => Promise.reject(new Error('no'));
      await expect(signal.run('plain', { id: 'a' })).rejects.toThrow('plain:a failed');
      expect([failed, nudged]).toEqual([['plain:a'], []]);
    });
  });

  describe('close', () => {
    it('waits for what runs, and passes on what was requested meanwhile', async () => {
      works();
      doing = untilEnded;
      await plain('a');
      await plain('a');
      let closed = false;
      const closing = signal.close().then(() => (closed = true));
      await vi.advanceTimersByTimeAsync(0);
      expect(closed).toBe(false);
      await end();
      await closing;
      expect([ran, nudged]).toEqual([['a'], ['plain a']]);
    });
    it('waits for what runs after a rest', async () => {
      works();
      await paced('a');
      doing = untilEnded;
      await paced('a');
      await vi.advanceTimersByTimeAsync(INTERVAL_MS);
      expect(ran).toEqual(['a', 'a']);
      let closed = false;
      const closing = signal.close().then(() => (closed = true));
      await vi.advanceTimersByTimeAsync(0);
      expect(closed).toBe(false);
      await end();
      await closing;
    });
    it('ends a rest: what waits for its end goes to the queue at once', async () => {
      works();
      void paced('a', 'b');
      await vi.advanceTimersByTimeAsync(1);
      void paced('a');
      await signal.close();
      await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
      expect([ran, nudged]).toEqual([['a', 'b'], ['paced a']]);
    });
    it('runs nothing any more that is requested', async () => {
      works();
      await signal.close();
      await plain('a');
      await paced('b');
      await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
      expect([ran, nudged]).toEqual([[], ['plain a', 'paced b']]);
    });
  });
});
