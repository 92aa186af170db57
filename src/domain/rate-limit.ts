/** Who is counted: an installation's API calls, and the token route by client id and by address. */
export type RateLimitBucket = 'installation' | 'token-client' | 'token-address';

/** At most `limit` requests in each window. */
export interface RateLimitPolicy {
  readonly limit: number;
  readonly windowSeconds: number;
}

export type RateLimitPolicies = Readonly<Record<RateLimitBucket, RateLimitPolicy>>;

export interface RateLimitDecision extends RateLimitPolicy {
  readonly allowed: boolean;
  /** Requests left in this window; 0 on a refused one. */
  readonly remaining: number;
  /** Whole seconds until the window ends: 1 to `windowSeconds`. */
  readonly resetSeconds: number;
}

/** The window in which a burst is earned at a steady rate: 50/s and a burst of 500 are 500 requests in 10 s (decisions.md, "Rate limits"). */
export const rateLimitPolicy = (perSecond: number, burst: number): RateLimitPolicy => ({
  limit: burst,
  windowSeconds: Math.max(1, Math.ceil(burst / perSecond)),
});

/** The decision on a request that is the `consumed`-th of a window that ends in `msLeft` milliseconds. */
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
