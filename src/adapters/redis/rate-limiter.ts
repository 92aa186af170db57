import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import type { RateLimiter } from '../../domain/ports/identity/rate-limiter.ts';
import { limitedBy } from '../../domain/identity/limited-by.ts';
import type { RateLimitPolicies } from '../../domain/identity/rate-limit.ts';
import { openRedis } from './connection.ts';

export interface RedisRateLimiterOptions {
  readonly url: string;
  readonly policies: RateLimitPolicies;
  /**
   * Called once each time the shared counter is lost. Until it is back this node limits by itself.
   */
  readonly onLost: (error: Error) => void;
}

/**
 * The longest that a request waits for the shared counter. Until a new connection has been answered,
 * in the background, no request asks it.
 */
const ANSWER_MS = 250;
/** The library only counts. It would reject what exceeds its limit, and the domain decides that. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

const connect = ({ url, onLost }: RedisRateLimiterOptions): Redis => {
  const redis = openRedis(url, ANSWER_MS);
  let lost = false;
  redis.on('ready', () => {
    lost = false;
  });
  redis.on('error', (error: Error) => {
    if (!lost) onLost(error);
    lost = true;
  });
  return redis;
};

/**
 * Counts in Redis for all nodes together. While Redis does not answer, this node counts by itself,
 * from zero. `close` ends the connection.
 */
export const redisRateLimiter = (options: RedisRateLimiterOptions): RateLimiter & { close(): void } => {
  const redis = connect(options);
  const limiter = limitedBy(options.policies, (bucket, duration) => {
    const size = { keyPrefix: `tenon:limit:${bucket}`, points: UNLIMITED, duration };
    return new RateLimiterRedis({
      ...size,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(size),
    });
  });
  return {
    ...limiter,
    close: () => {
      redis.disconnect();
    },
  };
};
