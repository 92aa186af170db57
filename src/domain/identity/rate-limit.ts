/** Counted under who sends, also before anything is judged. A stranger spends what they send from. */
export type SenderBucket = 'token-address' | 'token-failures' | 'admin-address';

/** Counted under who has shown the right credentials, so that no stranger spends it. */
export type HolderBucket = 'installation' | 'token-client' | 'token-app';

export type RateLimitBucket = SenderBucket | HolderBucket;

declare const isProven: unique symbol;

/**
 * Key of a holder whose credentials were right. Only functions that judge credentials make one
 * (test/architecture/proven-keys.test.ts).
 */
export type ProvenKey = string & { readonly [isProven]: true };

export const provenKey = (id: string): ProvenKey => id as ProvenKey;

export type KeyOf<B extends RateLimitBucket> = B extends HolderBucket ? ProvenKey : string;

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
