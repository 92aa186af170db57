import { describe, expect, it } from 'vitest';

import { StoreTurns } from '../../../src/adapters/startup/store-turns.ts';
import { storeKey } from '../../../src/domain/store-key.ts';
import { latch } from '../../support/latch.ts';

/** Longer than any work of these takes on a busy machine. */
const PATIENT_MS = 60_000;

describe('StoreTurns', () => {
  const [A, B] = [storeKey('a'), storeKey('b')];

  it('limits the concurrent work of a store, runs the others in order, and runs that of other stores in parallel', async () => {
    const turns = new StoreTurns(2, PATIENT_MS);
    const latches = Array.from({ length: 4 }, () => latch());
    const begun: number[] = [];
    const runs = latches.map(({ opened }, n) =>
      turns.run(A, async () => {
        begun.push(n);
        await opened;
        return n;
      }),
    );
    expect(begun).toEqual([0, 1]);
    expect(await turns.run(B, () => Promise.resolve('b'))).toBe('b');
    latches[1]?.open();
    expect(await runs[1]).toBe(1);
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    for (const { open } of latches) open();
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
  });

  it('gives null to one whose turn does not come in time, and its place to nobody', async () => {
    const turns = new StoreTurns(1, 1);
    const first = latch();
    const running = turns.run(A, () => first.opened);
    expect(await turns.run(A, () => Promise.reject(new Error('never begun')))).toBeNull();
    first.open();
    await running;
    await expect(turns.run(A, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await turns.run(A, () => Promise.resolve(1))).toBe(1);
  });
});
