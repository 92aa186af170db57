import { setTimeout as pause } from 'node:timers/promises';

import { now } from './history.ts';

/** Waits at most `ms` milliseconds until the condition is true. Resolves with whether it is. */
export const until = async (holds: () => boolean | Promise<boolean>, milliseconds: number, everyMs = 10): Promise<boolean> => {
  const end = now() + milliseconds;
  while (!(await holds())) {
    if (now() >= end) return false;
    await pause(everyMs);
  }
  return true;
};

/** Waits until the count is 0, or has not fallen for this many milliseconds. */
export const drained = async (left: () => number | Promise<number>, milliseconds: number, everyMs: number): Promise<void> => {
  let least = Infinity;
  let count = await left();
  while (count > 0 && count < least) {
    least = count;
    await until(async () => (count = await left()) < least, milliseconds, everyMs);
  }
};
