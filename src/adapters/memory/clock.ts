import type { Clock } from '../../domain/ports/clock.ts';

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

export const manualClock = (start = Date.UTC(2026, 0, 1)): ManualClock => {
  let now = start;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
};
