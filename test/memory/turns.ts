import { setImmediate } from 'node:timers/promises';

import type { Turns } from '../../src/domain/ports/turns.ts';

const TURN_MS = 10;

export interface ManualTurns extends Turns {
  /** How often others had their turn. */
  count(): number;
}

/** Work takes as long as this clock says: by default a millisecond for each step. */
export const manualTurns = (now?: () => number): ManualTurns => {
  let [count, steps] = [0, 0];
  const time = now ?? (() => (steps += 1));
  return {
    count: () => count,
    begin: () => {
      let began = time();
      return async () => {
        if (time() - began < TURN_MS) return;
        count += 1;
        await setImmediate();
        began = time();
      };
    },
  };
};
