import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import { ConnectionLost } from '../../../domain/unavailable.ts';
import { memoryRateLimiter } from '../../node/rate-limiter.ts';
import { redisRateLimiter } from '../../redis/rate-limiter.ts';
import type { Config } from '../settings/config.ts';
import { rateLimitPolicies } from '../settings/derived-settings.ts';
import type { Opening } from './closers.ts';

/** Counts in Redis where there is one, so that all nodes share the counts. Otherwise `given` does, or this process. */
export const openLimiter = (
  config: Config,
  { log, closers }: Pick<Opening, 'log' | 'closers'>,
  given?: RateLimiter,
): RateLimiter => {
  const policies = rateLimitPolicies(config);
  if (config.REDIS_URL === undefined) return given ?? memoryRateLimiter(policies);
  const limiter = redisRateLimiter({
    url: config.REDIS_URL,
    policies,
    onLost: (error) => {
      log.warn({ err: new ConnectionLost(error) }, 'Redis cannot be reached. This node limits by itself.');
    },
  });
  closers.push(() => {
    limiter.close();
  });
  return limiter;
};
