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
