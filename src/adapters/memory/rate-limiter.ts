import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import type { RateLimiter } from '../../domain/ports/rate-limiter.ts';
import { decideRateLimit } from '../../domain/rate-limit.ts';
import type { RateLimitBucket, RateLimitPolicies } from '../../domain/rate-limit.ts';

/** Counts in this process: what a node without REDIS_URL does. */
export const rateLimiter = (policies: RateLimitPolicies): RateLimiter => {
  const counter = (bucket: RateLimitBucket) =>
    new RateLimiterMemory({ keyPrefix: bucket, points: policies[bucket].limit, duration: policies[bucket].windowSeconds });
  const counters: Record<RateLimitBucket, RateLimiterMemory> = {
    installation: counter('installation'),
    'token-client': counter('token-client'),
    'token-address': counter('token-address'),
  };
  return {
    consume: async (bucket, key) => {
      // The library rejects with the count where the limit is passed.
      const count = await counters[bucket].consume(key).catch((refused: unknown) => refused);
      if (!(count instanceof RateLimiterRes)) throw new Error('the rate limiter failed', { cause: count });
      return decideRateLimit(policies[bucket], count.consumedPoints, count.msBeforeNext);
    },
  };
};
