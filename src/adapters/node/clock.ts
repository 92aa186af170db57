import { setTimeout } from 'node:timers/promises';

import type { Clock } from '../../domain/ports/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  // A pause alone keeps no process alive.
  pause: (milliseconds) => setTimeout(milliseconds, undefined, { ref: false }),
};
