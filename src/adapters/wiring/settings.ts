import { z } from 'zod';

import { MAX_BULK_PRODUCTS } from '../../domain/catalogue/bulk-change.ts';
import { MIN_ADMIN_TOKEN } from '../../domain/identity/token.ts';
import { limitSettings } from './limit-settings.ts';
import { READ_CACHE_MB } from '../prisma/reading/read-cache.ts';
import { parseSecretKeys } from '../node/secrets.ts';
import { outgoingSettings } from './outgoing-settings.ts';
import {
  host,
  hostList,
  inDevelopment,
  integer,
  port,
  proxies,
  readBy,
  seconds,
  setting,
  url,
  WEEK,
  workers,
} from './setting-kinds.ts';

/**
 * Every setting of admin-api.md, "Settings", and of decisions.md's "(cfg)"; `tenon config` and
 * the table in docs/configuration.md are made of this.
 */
export const settings = {
  NODE_ENV: setting(
    z.enum(['development', 'production', 'test']),
    'development',
    'The profile: development makes a demo store and its own secrets.',
  ),
  HOST: setting(
    host,
    inDevelopment('127.0.0.1', '0.0.0.0'),
    'Address of the public listener. In production the default is `0.0.0.0`: every address of the machine.',
  ),
  PORT: setting(port, '4000', 'Port of the public listener; 0 takes a free one.'),
  ADMIN_HOST: setting(host, '127.0.0.1', 'Address of the admin listener.'),
  ADMIN_PORT: setting(port, '4001', 'Port of the admin listener; 0 takes a free one.'),
  ADMIN_TOKEN: setting(
    z.string().min(MIN_ADMIN_TOKEN, `must have at least ${MIN_ADMIN_TOKEN} characters`).optional(),
    undefined,
    'Bearer token of the admin API, of at least 24 characters. Made at first start, except in production.',
  ),
  CONSOLE_HOSTS: setting(
    hostList,
    '',
    'Host names under which the console is opened, beside ADMIN_HOST and the loopback addresses.',
  ),
  APP_CONSOLE: setting(
    z.enum(['on', 'off'], 'must be on or off').transform((text) => text === 'on'),
    'off',
    "Whether developers of apps have a console of their own, at /apps/console on their store's domain.",
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
  DATABASE_STATEMENT_TIMEOUT_MS: setting(
    integer(0, 3_600_000),
    '10000',
    'Milliseconds that a database statement of the app API may take before it is answered 503; 0 for no limit.',
  ),
  READ_CACHE_MB: setting(
    integer(0, 65_536),
    String(READ_CACHE_MB),
    'Memory for rendered products and collections, in MB; 0 renders each time.',
  ),
  SEARCH_TIMEOUT_MS: setting(
    integer(1, 600_000),
    '2000',
    'Milliseconds that a search of products by `q` may take before it is answered 503.',
  ),
  DATA_DIR: setting(z.string().min(1), './data', 'Where the embedded PostgreSQL and the secrets made at first start are kept.'),
  REDIS_URL: setting(
    url('redis:', 'rediss:').optional(),
    undefined,
    'Redis for the queue of deliveries and for rate limits shared by all nodes. Not set: PostgreSQL and memory.',
  ),
  ROLE: setting(z.enum(['all', 'api', 'worker']), 'all', 'What this node does: both, the API, or the background work.'),
  WORKERS: setting(workers, '1', 'API processes that share PORT, or `auto` for one per core. With 1, the node is one process.'),
  SECRET_KEYS: setting(
    readBy(parseSecretKeys, 'must be kid:base64 of 32 bytes, separated by commas').optional(),
    undefined,
    'kid:base64 of 32 bytes, separated by commas; the first encrypts. Made at first start, except in production.',
  ),
  ACCESS_TOKEN_TTL_SECONDS: setting(integer(1, 86_400), '3600', "An access token's lifetime."),
  SECRET_OVERLAP_SECONDS: setting(
    seconds(WEEK),
    '86400',
    'How long an old secret stays valid after a rotation that has no overlapSeconds.',
  ),
  IDEMPOTENCY_TTL_SECONDS: setting(integer(1, WEEK), '86400', "An idempotency key's memory, from the finish of its request."),
  IDEMPOTENCY_MAX_RESPONSE_BYTES: setting(
    integer(1_024, 16_777_216),
    '262144',
    'The largest response that is kept for a replay.',
  ),
  BULK_MAX_PRODUCTS: setting(integer(1, MAX_BULK_PRODUCTS), '250', 'Products in one bulk update at most.'),
  BULK_MAX_BODY_BYTES: setting(integer(1_024, 67_108_864), '2097152', 'The largest body of a bulk update.'),
  ...limitSettings,
  ...outgoingSettings,
  TRUSTED_PROXIES: setting(proxies, '', 'Addresses and ranges of proxies whose X-Forwarded headers count.'),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The least severe lines that are logged.',
  ),
} as const;
