import { describe, expect, it } from 'vitest';

import type { Clock } from '../../src/domain/ports/clock.ts';

export const clockContract = (name: string, open: () => { clock: Clock; wait: () => void }) => {
  describe(`Clock on ${name}`, () => {
    describe('now', () => {
      it('Returns the time of this node in whole milliseconds since the epoch.', () => {
        const { clock } = open();
        expect(Number.isInteger(clock.now())).toBe(true);
        expect(clock.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 1));
        expect(clock.now()).toBeLessThan(Date.UTC(2100, 0, 1));
      });

      it('Advances with time.', () => {
        const { clock, wait } = open();
        const before = clock.now();
        wait();
        expect(clock.now()).toBeGreaterThan(before);
      });
    });

    describe('pause', () => {
      it('Resolves after this many milliseconds.', async () => {
        const { clock, wait } = open();
        const before = performance.now();
        const pause = clock.pause(1);
        wait();
        await pause;
        expect(performance.now()).toBeGreaterThan(before);
      });
    });
  });
};
