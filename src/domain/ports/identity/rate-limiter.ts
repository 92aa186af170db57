import type { KeyOf, RateLimitBucket, RateLimitDecision } from '../../identity/rate-limit.ts';

export interface RateLimiter {
  /**
   * Counts one request of the key. Allows `limit` requests in a window and refuses the others until
   * it ends. Allows requests again when the window has ended. Returns the policy and the whole
   * seconds until the window ends, from 1 to `windowSeconds`. Counts each bucket and each key
   * separately. Counts concurrent requests exactly. Counts on this node alone while a shared
   * counter is unreachable.
   */
  consume<B extends RateLimitBucket>(bucket: B, key: KeyOf<B>): Promise<RateLimitDecision>;
}
