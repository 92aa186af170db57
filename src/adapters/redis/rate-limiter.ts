import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import type { RateLimiter } from '../../domain/ports/rate-limiter.ts';
import { decideRateLimit } from '../../domain/rate-limit.ts';
import type { RateLimitBucket, RateLimitPolicies } from '../../domain/rate-limit.ts';

export interface RedisRateLimiterOptions {
  readonly url: string;
  readonly policies: RateLimitPolicies;
  /** Told when the shared counter is lost, and once per loss: from then on this node limits by itself until it is back. */
  readonly onLost: (error: Error) => void;
}

/** How long a request waits for the shared counter at most. */
const COMMAND_TIMEOUT_MS = 250;
const RECONNECT_MS = 1000;

const connect = ({ url, onLost }: RedisRateLimiterOptions): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
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

/** Counts in Redis for all nodes together; by itself, from nothing, where Redis doesn't answer. `close` ends the connection. */
export const rateLimiter = (options: RedisRateLimiterOptions): RateLimiter & { close(): void } => {
  const { policies } = options;
  const redis = connect(options);
  const counter = (bucket: RateLimitBucket) => {
    const size = { keyPrefix: `tenon:limit:${bucket}`, points: policies[bucket].limit, duration: policies[bucket].windowSeconds };
    return new RateLimiterRedis({
      ...size,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(size),
    });
  };
  const counters: Record<RateLimitBucket, RateLimiterRedis> = {
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
    close: () => {
      redis.disconnect();
    },
  };
};
