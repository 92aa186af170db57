import type { RateLimiter } from '../ports/identity/rate-limiter.ts';
import { decideRateLimit, type RateLimitBucket, type RateLimitPolicies } from './rate-limit.ts';

/**
 * Counts a request and returns its number in the key's window, and the milliseconds until the
 * window ends.
 */
export interface RateCounter {
  consume(key: string): Promise<{ readonly consumedPoints: number; readonly msBeforeNext: number }>;
}

export const limitedBy = (
  policies: RateLimitPolicies,
  counterOf: (bucket: RateLimitBucket, windowSeconds: number) => RateCounter,
): RateLimiter => {
  const counter = (bucket: RateLimitBucket): RateCounter => counterOf(bucket, policies[bucket].windowSeconds);
  const counters: Record<RateLimitBucket, RateCounter> = {
    installation: counter('installation'),
    'token-app': counter('token-app'),
    'token-client': counter('token-client'),
    'token-failures': counter('token-failures'),
    'token-address': counter('token-address'),
    'admin-address': counter('admin-address'),
  };
  return {
    consume: async (bucket, key) => {
      const { consumedPoints, msBeforeNext } = await counters[bucket].consume(key);
      return decideRateLimit(policies[bucket], consumedPoints, msBeforeNext);
    },
  };
};
