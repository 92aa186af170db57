import { RateLimiterMemory } from 'rate-limiter-flexible';

import type { RateLimiter } from '../../domain/ports/identity/rate-limiter.ts';
import { limitedBy } from '../../domain/identity/limited-by.ts';
import type { RateLimitPolicies } from '../../domain/identity/rate-limit.ts';

/** The library only counts. It would reject what exceeds its limit, and the domain decides that. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Counts in this process, for a node without REDIS_URL. */
export const memoryRateLimiter = (policies: RateLimitPolicies): RateLimiter =>
  limitedBy(policies, (keyPrefix, duration) => new RateLimiterMemory({ keyPrefix, points: UNLIMITED, duration }));
