import type { RateLimiter } from '../ports/rate-limiter.ts';

/**
 * What is counted: an installation's API calls, token requests by client id and by address, and
 * wrong admin tokens by address.
 */
export type RateLimitBucket = 'installation' | 'token-client' | 'token-address' | 'admin-address';

/** At most `limit` requests in each window. */
export interface RateLimitPolicy {
  readonly limit: number;
  readonly windowSeconds: number;
}

export type RateLimitPolicies = Readonly<Record<RateLimitBucket, RateLimitPolicy>>;

export interface RateLimitDecision extends RateLimitPolicy {
  readonly allowed: boolean;
  /** Requests left in this window; 0 for a refused request. */
  readonly remaining: number;
  /** Whole seconds until the window ends: 1 to `windowSeconds`. */
  readonly resetSeconds: number;
}

/**
 * The window in which the steady rate allows one burst: 50/s with a burst of 500 is 500 requests in
 * 10 s (decisions.md, Rate limits).
 */
export const rateLimitPolicy = (perSecond: number, burst: number): RateLimitPolicy => ({
  limit: burst,
  windowSeconds: Math.max(1, Math.ceil(burst / perSecond)),
});

/** Decides on request number `consumed` of a window that ends in `msLeft` milliseconds. */
export const decideRateLimit = (
  { limit, windowSeconds }: RateLimitPolicy,
  consumed: number,
  msLeft: number,
): RateLimitDecision => ({
  allowed: consumed <= limit,
  limit,
  remaining: Math.max(0, limit - consumed),
  resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(msLeft / 1000))),
  windowSeconds,
});

/**
 * Counts a request and returns its number in the key's window, and the milliseconds until the
 * window ends.
 */
export interface RateCounter {
  consume(key: string): Promise<{ readonly consumedPoints: number; readonly msBeforeNext: number }>;
}

/** A limiter with one counter for each bucket. */
export const limitedBy = (
  policies: RateLimitPolicies,
  counterOf: (bucket: RateLimitBucket, windowSeconds: number) => RateCounter,
): RateLimiter => {
  const counter = (bucket: RateLimitBucket): RateCounter => counterOf(bucket, policies[bucket].windowSeconds);
  const counters: Record<RateLimitBucket, RateCounter> = {
    installation: counter('installation'),
    'token-client': counter('token-client'),
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
