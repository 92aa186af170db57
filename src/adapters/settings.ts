import { z } from 'zod';

import { parseMediaStorage } from './media/location.ts';
import { parseCidrs } from './node/address-resolver.ts';
import { parseSecretKeys } from './node/secrets.ts';
import { baseUrl, host, integer, port, proxies, readBy, seconds, secondsList, setting, url, WEEK } from './setting-kinds.ts';

/** Every setting of admin-api.md, "Settings", and of decisions.md's "(cfg)"; `--help` and the README's table are made of this. */
export const settings = {
  NODE_ENV: setting(
    z.enum(['development', 'production', 'test']),
    'development',
    'The profile: development makes a demo store and its own secrets.',
  ),
  HOST: setting(host, '0.0.0.0', 'Address of the public listener.'),
  PORT: setting(port, '4000', 'Port of the public listener; 0 takes a free one.'),
  ADMIN_HOST: setting(host, '127.0.0.1', 'Address of the admin listener.'),
  ADMIN_PORT: setting(port, '4001', 'Port of the admin listener; 0 takes a free one.'),
  ADMIN_TOKEN: setting(
    z.string().min(16, 'must have at least 16 characters').optional(),
    undefined,
    'Bearer token of the admin API. Made at first start, except in production.',
  ),
  DATABASE_URL: setting(
    url('postgresql:', 'postgres:').optional(),
    undefined,
    'A PostgreSQL 14 or later. Not set: the embedded one, except in production.',
  ),
  DATABASE_CONNECTIONS: setting(
    integer(2, 1000),
    '20',
    'Database connections for requests at most; the background work has up to 15 of its own.',
  ),
  DATA_DIR: setting(z.string().min(1), './data', 'Where the embedded PostgreSQL and the secrets made at first start are kept.'),
  REDIS_URL: setting(
    url('redis:', 'rediss:').optional(),
    undefined,
    'Redis for the queue of deliveries and for rate limits shared by all nodes. Not set: PostgreSQL and memory.',
  ),
  ROLE: setting(z.enum(['all', 'api', 'worker']), 'all', 'What this node does: both, the API, or the background work.'),
  SECRET_KEYS: setting(
    readBy(parseSecretKeys, 'must be kid:base64 of 32 bytes, separated by commas').optional(),
    undefined,
    'kid:base64 of 32 bytes, separated by commas; the first encrypts. Made at first start, except in production.',
  ),
  ACCESS_TOKEN_TTL_SECONDS: setting(integer(1, 86_400), '3600', "An access token's lifetime."),
  SECRET_OVERLAP_SECONDS: setting(
    seconds(WEEK),
    '86400',
    'How long an old secret goes on beside a new one, where the rotation does not say.',
  ),
  IDEMPOTENCY_TTL_SECONDS: setting(integer(1, WEEK), '86400', "An idempotency key's memory, from the finish of its request."),
  IDEMPOTENCY_MAX_RESPONSE_BYTES: setting(
    integer(1_024, 16_777_216),
    '262144',
    'The largest response that is kept for a replay.',
  ),
  BULK_MAX_PRODUCTS: setting(integer(1, 1_000), '250', 'Products in one bulk update at most.'),
  BULK_MAX_BODY_BYTES: setting(integer(1_024, 67_108_864), '2097152', 'The largest body of a bulk update.'),
  RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '50', 'Requests a second of one installation, over time.'),
  RATE_LIMIT_BURST: setting(integer(1, 10_000_000), '500', 'Requests of one installation at once.'),
  TOKEN_RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '1', 'Token requests a second of one client id, over time.'),
  TOKEN_RATE_LIMIT_BURST: setting(integer(1, 10_000_000), '120', 'Token requests of one client id at once.'),
  TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: setting(integer(1, 1_000_000), '20', 'Token requests a second of one address.'),
  WEBHOOK_ALLOWED_CIDRS: setting(
    readBy(parseCidrs, 'must be ranges such as 127.0.0.0/8, separated by commas'),
    (of) => (of('NODE_ENV') === 'production' ? '' : '127.0.0.0/8,::1/128'),
    'Private address ranges that subscriptions and media imports may name, also by http; loopback outside production.',
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    secondsList,
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    'The waits before each attempt of a delivery.',
  ),
  WEBHOOK_RETRY_JITTER: setting(
    z
      .string()
      .regex(/^0(\.\d+)?$|^1(\.0+)?$/, 'must be between 0 and 1')
      .transform(Number),
    '0.2',
    'How far each of these waits may stray: 0.2 is 20 % up or down.',
  ),
  WEBHOOK_TIMEOUT_SECONDS: setting(integer(1, 300), '15', 'The whole time of an attempt, its response included.'),
  WEBHOOK_MAX_IN_FLIGHT: setting(integer(1, 1_000), '4', 'Attempts in flight to one subscription at most.'),
  WEBHOOK_LOG_DAYS: setting(integer(1, 3_650), '30', 'How long deliveries and their attempts are kept once they have ended.'),
  WEBHOOK_PROXY: setting(
    url('http:').optional(),
    undefined,
    'An HTTP proxy through which every delivery and every fetch of media goes out (CONNECT); it then resolves the names.',
  ),
  MEDIA_STORAGE: setting(
    readBy(parseMediaStorage, 'must be a directory or http(s)://endpoint/bucket'),
    (of) => `${of('DATA_DIR')}/media`,
    'Where media files are kept: a directory, or an S3 endpoint and bucket (https://endpoint/bucket).',
  ),
  MEDIA_URL: setting(
    baseUrl,
    (of) => `http://localhost:${of('PORT')}/media`,
    'The public address under which media files are found: of this service, or of what stands before it.',
  ),
  MEDIA_TIMEOUT_SECONDS: setting(
    integer(1, 600),
    '60',
    "The whole time of one image's import, to its last pixel; 10 seconds without a byte end it as well.",
  ),
  AWS_REGION: setting(
    z.string().regex(/^[a-z0-9-]+$/, 'must be the name of a region'),
    'us-east-1',
    "The bucket's region. Its credentials are found as the AWS SDK does: AWS_ACCESS_KEY_ID and so on.",
  ),
  TRUSTED_PROXIES: setting(proxies, '', 'Addresses and ranges of proxies whose X-Forwarded headers count.'),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The least severe lines that are logged.',
  ),
} as const;
