import type { RateLimitBucket, RateLimitDecision } from '../identity/rate-limit.ts';

export interface RateLimiter {
  /**
   * Counts one request of the key. Allows `limit` requests a window and refuses the others until it ends. Counts each bucket and each key on its own.
   * Concurrent requests are counted exactly. Never throws: where a shared counter is unreachable, the node counts by itself.
   */
  consume(bucket: RateLimitBucket, key: string): Promise<RateLimitDecision>;
}
