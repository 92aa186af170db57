import { z } from 'zod';

import { MAX_BULK_PRODUCTS } from '../../../domain/catalogue/bulk-change.ts';
import { MIN_ADMIN_TOKEN } from '../../../domain/identity/token.ts';
import { messageOf } from '../../../domain/values/error.ts';
import { limitSettings } from './limit-settings.ts';
import { READ_CACHE_MB } from '../../storage/storage.ts';
import { parseSecretKeys } from '../../startup/secret-keys.ts';
import { incidentSettings } from './incident-settings.ts';
import { signInSettings } from './sign-in-settings.ts';
import { platformAppSettings } from './platform-app-settings.ts';
import { outgoingSettings } from './outgoing-settings.ts';
import {
  databaseUrl,
  host,
  hostList,
  inDevelopment,
  integerSetting,
  kidList,
  port,
  proxies,
  readBy,
  seconds,
  secretSetting,
  setting,
  url,
  WEEK,
  workers,
} from './setting-kinds.ts';

/**
 * Connections of a process beside those for requests, at most: 6 for deliveries, 4 for each of the two queues, and one each
 * for leases, the feed and the messages of nodes. With Redis, the queues and the messages take no connection.
 */
export const BESIDE_REQUESTS = 17;

/**
 * Every setting (docs/specification/admin-api.md, "Settings"); `tenon config` and the table in
 * docs/configuration.md are made of this.
 */
export const settings = {
  NODE_ENV: setting(
    z.enum(['development', 'production', 'test']),
    'development',
    'The profile. development creates a demo store and its own secrets.',
  ),
  HOST: setting(
    host,
    inDevelopment('127.0.0.1', '0.0.0.0'),
    'Address of the public listener. In production, the default is `0.0.0.0` (all interfaces).',
  ),
  PORT: setting(port, '4000', 'Port of the public listener; 0 picks a free port.'),
  ADMIN_HOST: setting(host, '127.0.0.1', 'Address of the admin listener.'),
  ADMIN_PORT: setting(port, '4001', 'Port of the admin listener; 0 picks a free port.'),
  ADMIN_TOKEN: secretSetting(
    z.string().min(MIN_ADMIN_TOKEN, `must have at least ${MIN_ADMIN_TOKEN} characters`).optional(),
    'Bearer token of the admin API, at least 24 characters. Created at the first start, except in production.',
  ),
  CONSOLE_HOSTS: setting(
    hostList,
    '',
    'Additional host names for the console. ADMIN_HOST and the loopback addresses are always allowed.',
  ),
  ...signInSettings,
  APP_CONSOLE: setting(
    z.enum(['on', 'off'], 'must be on or off').transform((text) => text === 'on'),
    'off',
    "Turns on a console for app developers, at /apps/console on the store's domain.",
  ),
  ...platformAppSettings,
  DATABASE_URL: setting(
    databaseUrl.optional(),
    undefined,
    'PostgreSQL 14 or later. With several hosts, separated by commas, Tenon uses the primary. Default: the embedded PostgreSQL, except in production.',
  ),
  DATABASE_CONNECTIONS: setting(
    integerSetting(2, 1000),
    '20',
    `Maximum number of database connections for requests. Background work uses up to ${String(BESIDE_REQUESTS)} more.`,
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: setting(
    integerSetting(0, 3_600_000),
    '10000',
    'Maximum duration of a database statement of the app API, in milliseconds, before the request fails with 503. 0: no limit.',
  ),
  READ_CACHE_MB: setting(
    integerSetting(0, 65_536),
    String(READ_CACHE_MB),
    'Memory for cached products and collections, in MB. 0 turns the cache off.',
  ),
  SEARCH_TIMEOUT_MS: setting(
    integerSetting(1, 600_000),
    '2000',
    'Maximum duration of a product search (`q`), in milliseconds, before the request fails with 503.',
  ),
  DATA_DIR: setting(
    z.string().min(1),
    './data',
    'Directory of the embedded PostgreSQL and of the secrets created at the first start.',
  ),
  REDIS_URL: setting(
    url('redis:', 'rediss:').optional(),
    undefined,
    'Redis for the delivery queue and for rate limits shared by all nodes. Default: PostgreSQL and memory.',
  ),
  ROLE: setting(
    z.enum(['all', 'api', 'worker']),
    'all',
    'Which parts run on this node: everything, the API only, or the background work only.',
  ),
  WORKERS: setting(
    workers,
    '1',
    'Number of API processes that share PORT, or `auto` for one per core. With 1, the node is a single process.',
  ),
  DRAIN_SECONDS: setting(
    integerSetting(0, 300),
    (other) => (other('NODE_ENV') === 'production' ? '5' : '0'),
    'After SIGTERM, how long a node serves while proxies turn away from it, in seconds. In production 5.',
  ),
  SECRET_KEYS: secretSetting(
    readBy(parseSecretKeys, messageOf).optional(),
    'Encryption keys, comma-separated, each as kid:base64 of 32 bytes. The first encrypts. Created at the first start on an empty database, except in production.',
  ),
  LOST_SECRET_KEYS: setting(
    kidList,
    '',
    'Names of lost keys, comma-separated. The server then starts without the secrets that they encrypted.',
  ),
  ACCESS_TOKEN_TTL_SECONDS: setting(integerSetting(1, 86_400), '3600', 'Lifetime of an access token, in seconds.'),
  SECRET_OVERLAP_SECONDS: setting(
    seconds(WEEK),
    '86400',
    'How long an old secret stays valid after a rotation without overlapSeconds, in seconds.',
  ),
  IDEMPOTENCY_TTL_SECONDS: setting(
    integerSetting(1, WEEK),
    '86400',
    'How long an idempotency key is remembered after its request ends, in seconds.',
  ),
  IDEMPOTENCY_MAX_RESPONSE_BYTES: setting(
    integerSetting(1_024, 16_777_216),
    '262144',
    'Maximum size of a response kept for replay, in bytes.',
  ),
  BULK_MAX_PRODUCTS: setting(
    integerSetting(1, MAX_BULK_PRODUCTS),
    '250',
    'Maximum number of products, or of variants, in a bulk update.',
  ),
  BULK_MAX_BODY_BYTES: setting(integerSetting(1_024, 67_108_864), '2097152', 'Maximum body size of a bulk update, in bytes.'),
  ...limitSettings,
  ...outgoingSettings,
  ...incidentSettings,
  TRUSTED_PROXIES: setting(proxies, '', 'Addresses and ranges of proxies whose X-Forwarded headers are trusted.'),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The lowest level that is logged.',
  ),
} as const;
