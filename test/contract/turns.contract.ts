import { describe, expect, it } from 'vitest';

import type { Turns } from '../../src/domain/ports/turns.ts';

/** `now` gives the time of the work, in milliseconds. */
export const turnsContract = (name: string, open: (now: () => number) => Turns) => {
  describe(`Turns on ${name}`, () => {
    describe('begin', () => {
      let ms = 0;
      const work = (took: number): void => {
        ms += took;
      };
      /** Returns true if others have their turn before the work continues. */
      const isPaused = async (turn: () => Promise<void>): Promise<boolean> => {
        let others = 0;
        const own = setImmediate(() => (others += 1));
        await turn();
        clearImmediate(own);
        return others > 0;
      };

      it('Returns what long work awaits between its steps.', async () => {
        const turn = open(() => ms).begin();
        await expect(turn()).resolves.toBeUndefined();
      });
      it('Resolves without a pause until 10 ms of work have passed.', async () => {
        const turn = open(() => ms).begin();
        for (const took of [0, 5, 4.9]) {
          work(took);
          expect(await isPaused(turn)).toBe(false);
        }
      });
      it('Resolves after a turn of the event loop once they have, and the next 10 ms begin then.', async () => {
        const turn = open(() => ms).begin();
        work(25);
        // Other work takes longer in its turn than this work has.
        setImmediate(() => work(20));
        expect(await isPaused(turn)).toBe(true);
        work(9);
        expect(await isPaused(turn)).toBe(false);
        work(1);
        expect(await isPaused(turn)).toBe(true);
      });
    });
  });
};
