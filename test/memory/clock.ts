import type { Clock } from '../../src/domain/ports/clock.ts';

/** A clock that only moves when it is advanced. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

export const manualClock = (start = Date.UTC(2026, 0, 1)): ManualClock => {
  let now = start;
  let paused: { readonly until: number; readonly resolve: () => void }[] = [];
  return {
    now: () => now,
    pause: (milliseconds) =>
      new Promise((resolve) => {
        paused.push({ until: now + milliseconds, resolve });
      }),
    advance: (milliseconds) => {
      now += milliseconds;
      const due = paused.filter(({ until }) => until <= now);
      paused = paused.filter(({ until }) => until > now);
      for (const { resolve } of due) resolve();
    },
  };
};
