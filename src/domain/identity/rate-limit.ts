export type RateLimitBucket = 'installation' | 'token-client' | 'token-address' | 'admin-address';

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
 * 10 s (docs/specification/credentials.md, "Rate limits").
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
