import { describe, expect, it } from 'vitest';

import { decideRateLimit, rateLimitPolicy } from '../../../src/domain/identity/rate-limit.ts';

describe('a rate and a burst are a window', () => {
  it.each([
    [50, 500, { limit: 500, windowSeconds: 10 }],
    [1, 120, { limit: 120, windowSeconds: 120 }],
    [20, 20, { limit: 20, windowSeconds: 1 }],
    [20, 5, { limit: 5, windowSeconds: 1 }],
    [3, 10, { limit: 10, windowSeconds: 4 }],
  ])('%i a second, burst %i: %o', (perSecond, burst, expected) => {
    expect(rateLimitPolicy(perSecond, burst)).toEqual(expected);
  });
});

describe('the n-th request of a window of 5 in 10 s', () => {
  it.each([
    [1, 10_000, { allowed: true, remaining: 4, resetSeconds: 10 }],
    [5, 4001, { allowed: true, remaining: 0, resetSeconds: 5 }],
    [6, 4000, { allowed: false, remaining: 0, resetSeconds: 4 }],
    [9, 1, { allowed: false, remaining: 0, resetSeconds: 1 }],
    [9, 0, { allowed: false, remaining: 0, resetSeconds: 1 }],
    [9, -1, { allowed: false, remaining: 0, resetSeconds: 1 }],
    [1, 10_400, { allowed: true, remaining: 4, resetSeconds: 10 }],
  ])('n = %i with %i ms left: %o', (consumed, msLeft, expected) => {
    expect(decideRateLimit({ limit: 5, windowSeconds: 10 }, consumed, msLeft)).toEqual({
      limit: 5,
      windowSeconds: 10,
      ...expected,
    });
  });
});
