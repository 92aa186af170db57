import { LRUCache } from 'lru-cache';

import type { RateLimiter } from '../../../../domain/ports/identity/rate-limiter.ts';
import type { RateLimitBucket, RateLimitDecision } from '../../../../domain/identity/rate-limit.ts';

/**
 * Limits wrong credentials by the key they are counted under, such as an address. What is right is
 * neither counted nor delayed.
 */
export interface FailureLimit {
  /** The decision that refuses this key for now; null while it may try. */
  refusal(key: string): RateLimitDecision | null;
  failed(key: string): Promise<RateLimitDecision>;
}

/**
 * The oldest refusal is forgotten beyond this many. Its key is refused again at the next failure.
 */
const MAX_REFUSALS = 10_000;

/**
 * Failures are counted by the limiter, on all nodes together where they share one. `now` in
 * milliseconds.
 */
export const createFailureLimit = (
  limiter: RateLimiter,
  bucket: RateLimitBucket,
  now: () => number = () => performance.now(),
): FailureLimit => {
  const refusals = new LRUCache<string, { readonly decision: RateLimitDecision; readonly until: number }>({ max: MAX_REFUSALS });
  return {
    refusal: (key) => {
      const refused = refusals.get(key);
      if (refused === undefined) return null;
      const left = refused.until - now();
      if (left > 0) return { ...refused.decision, resetSeconds: Math.ceil(left / 1_000) };
      refusals.delete(key);
      return null;
    },
    failed: async (key) => {
      const decision = await limiter.consume(bucket, key);
      if (decision.allowed) return decision;
      refusals.set(key, { decision, until: now() + decision.resetSeconds * 1_000 });
      return decision;
    },
  };
};
