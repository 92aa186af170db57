import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import type { RateLimiter } from '../../domain/ports/identity/rate-limiter.ts';
import { limitedBy } from '../../domain/identity/limited-by.ts';
import type { RateLimitPolicies } from '../../domain/identity/rate-limit.ts';

export interface RedisRateLimiterOptions {
  readonly url: string;
  readonly policies: RateLimitPolicies;
  /**
   * Called once each time the shared counter is lost. Until it is back this node limits by itself.
   */
  readonly onLost: (error: Error) => void;
}

/** The longest that a request waits for the shared counter. Those that follow do not wait. */
const ANSWER_MS = 250;
const RECONNECT_MS = 1000;
/** The library only counts. It would reject what exceeds its limit, and the domain decides that. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

const connect = ({ url, onLost }: RedisRateLimiterOptions): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // A Redis that hangs loses its connection with the first command that it does not answer. Until a new one
    // has been answered, in the background, no request asks it.
    socketTimeout: ANSWER_MS,
    commandTimeout: 2 * ANSWER_MS,
    connectTimeout: 2 * RECONNECT_MS,
    retryStrategy: () => RECONNECT_MS,
  });
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
export const rateLimiter = (options: RedisRateLimiterOptions): RateLimiter & { close(): void } => {
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
