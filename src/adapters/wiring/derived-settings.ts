import type { ApplicationSettings } from '../../application/index.ts';
import { rateLimitPolicy } from '../../domain/identity/rate-limit.ts';
import type { RateLimitPolicies } from '../../domain/identity/rate-limit.ts';
import type { Config } from './config.ts';

/** The rate limits of each bucket. */
export const rateLimitPolicies = (config: Config): RateLimitPolicies => ({
  installation: rateLimitPolicy(config.RATE_LIMIT_PER_SECOND, config.RATE_LIMIT_BURST),
  'token-client': rateLimitPolicy(config.TOKEN_RATE_LIMIT_PER_SECOND, config.TOKEN_RATE_LIMIT_BURST),
  'token-address': rateLimitPolicy(config.TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND, config.TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND),
  'admin-address': { limit: config.ADMIN_FAILURES_PER_MINUTE, windowSeconds: 60 },
});

/** What the use cases need of the settings. */
export const applicationSettings = (config: Config): ApplicationSettings => ({
  idempotencyMaxResponseBytes: config.IDEMPOTENCY_MAX_RESPONSE_BYTES,
  bulkMaxProducts: config.BULK_MAX_PRODUCTS,
  secretOverlapSeconds: config.SECRET_OVERLAP_SECONDS,
  webhookAllowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
  adminToken: config.ADMIN_TOKEN,
});
