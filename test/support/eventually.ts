import { vi } from 'vitest';

/**
 * Repeats the assertion until it passes, and returns its result. Gives up only after a minute,
 * because the machine may be busy.
 */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: 60_000, interval: 20 });
