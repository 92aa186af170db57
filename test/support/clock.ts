import type { Clock } from '../../src/domain/ports/clock.ts';

export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that stands still until it is told to go on. Starts at 2026-01-01T00:00:00Z unless told. */
export const manualClock = (startMs: number = Date.UTC(2026, 0, 1)): ManualClock => {
  let now = startMs;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
};
