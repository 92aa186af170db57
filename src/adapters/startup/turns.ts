import { setImmediate } from 'node:timers/promises';

import type { Turn } from '../../domain/ports/turns.ts';

/** Time after which others have their turn. */
const TURN_MS = 10;

/** Long work awaits it between its steps. `now` is in milliseconds. */
export const beginTurns = (now: () => number = () => performance.now()): Turn => {
  let began = now();
  return async () => {
    if (now() - began < TURN_MS) return;
    await setImmediate();
    began = now();
  };
};
