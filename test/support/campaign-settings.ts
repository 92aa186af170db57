import { NO_RATE_LIMITS } from './no-rate-limits.ts';

/** Settings of a node that a campaign starts: as in production, on free ports of this machine. */
export const CAMPAIGN_SETTINGS = {
  NODE_ENV: 'production',
  DRAIN_SECONDS: '0',
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_HOST: '127.0.0.1',
  ADMIN_PORT: '0',
  DATABASE_CONNECTIONS: '10',
  SECRET_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  MEDIA_ALLOWED_CIDRS: '127.0.0.0/8',
  ...NO_RATE_LIMITS,
};
