import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { runInBatches, repeat } from '../../src/adapters/node/background.ts';

describe('repeat', () => {
  let errors: unknown[];
  const tell = (error: unknown): void => void errors.push(error);
  beforeEach(() => {
    vi.useFakeTimers();
    errors = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** A task whose rounds each last until the test ends them. */
  const slow = () => {
    const rounds: (() => void)[] = [];
    return { rounds, task: () => new Promise<void>((resolve) => rounds.push(resolve)) };
  };

  it('runs first after the initial delay, then after a fixed delay from the end of each round', async () => {
    const { rounds, task } = slow();
    const stop = repeat(2, task, tell);
    await vi.advanceTimersByTimeAsync(1999);
    expect(rounds).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toHaveLength(1);
    // No round begins while another one runs.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(rounds).toHaveLength(1);
    rounds[0]?.();
    await vi.advanceTimersByTimeAsync(1999);
    expect(rounds).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toHaveLength(2);
    rounds[1]?.();
    await stop();
  });
  it('a failure is reported, and the next round runs', async () => {
    let rounds = 0;
    const stop = repeat(1, () => Promise.reject(new Error(`round ${String((rounds += 1))}`)), tell);
    await vi.advanceTimersByTimeAsync(2000);
    expect(errors).toEqual([new Error('round 1'), new Error('round 2')]);
    await stop();
  });
  it('starts no round after it is stopped', async () => {
    const { rounds, task } = slow();
    await repeat(1, task, tell)();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rounds).toHaveLength(0);
  });
  it('waits for the running round when it is stopped, and starts no other', async () => {
    const { rounds, task } = slow();
    const stop = repeat(1, task, tell);
    await vi.advanceTimersByTimeAsync(1000);
    let stopped = false;
    const stopping = stop().then(() => (stopped = true));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stopped).toBe(false);
    rounds[0]?.();
    await stopping;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rounds).toHaveLength(1);
  });
});

describe('inBatches', () => {
  it.each([
    [[10, 10, 3], 23],
    [[10, 0], 10],
    [[0], 0],
  ])('continues while the batch is full: %j', async (sizes, total) => {
    const limits: number[] = [];
    const batch = (limit: number): Promise<number> => Promise.resolve(sizes[limits.push(limit) - 1] ?? 0);
    expect(await runInBatches(batch, 10)).toBe(total);
    expect(limits).toEqual(sizes.map(() => 10));
  });

  describe('beside requests', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    /** Batches that are always full and take 100 ms each. */
    const slowly = (stopping: AbortSignal, times?: number) => {
      const begun: number[] = [];
      const batch = async (limit: number): Promise<number> => {
        begun.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, 100));
        return limit;
      };
      return { begun, done: runInBatches(batch, 10, stopping, times) };
    };

    it.each([
      ['seven times its duration', undefined, [0, 800, 1600]],
      ['its duration as many times as is asked', 1, [0, 200, 400, 600, 800, 1000, 1200, 1400, 1600]],
    ])('rests after each full batch for %s', async (_title, times, all) => {
      const stop = new AbortController();
      const from = performance.now();
      const { begun, done } = slowly(stop.signal, times);
      await vi.advanceTimersByTimeAsync(1690);
      expect(begun.map((at) => at - from)).toEqual(all);
      stop.abort();
      await vi.advanceTimersByTimeAsync(10);
      expect(await done).toBe(all.length * 10);
    });
    it('ends immediately when it is stopped during a rest, and after the batch otherwise', async () => {
      for (const [ms, left] of [
        [300, 0],
        [850, 50],
      ] as const) {
        const stop = new AbortController();
        const { begun, done } = slowly(stop.signal);
        await vi.advanceTimersByTimeAsync(ms);
        stop.abort();
        await vi.advanceTimersByTimeAsync(left);
        const at = begun.length;
        expect(await done).toBe(at * 10);
        await vi.advanceTimersByTimeAsync(10_000);
        expect(begun).toHaveLength(at);
      }
    });
  });
});
