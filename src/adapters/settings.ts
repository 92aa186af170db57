import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { parseCidrs } from './node/address-resolver.ts';
import { parseSecretKeys } from './node/secrets.ts';

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${String(min)} and ${String(max)}`);

/** Text that a reader understands or throws at; what it throws may hold a secret, so `message` is told in its place. */
const readBy = <T>(read: (text: string) => T, message: string) =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });

const entries = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const proxies = readBy((text) => {
  for (const entry of entries(text)) if (!ipaddr.isValid(entry)) ipaddr.parseCIDR(entry);
  return entries(text);
}, 'must be addresses and ranges such as 10.0.0.0/8, separated by commas');

const secondsList = z
  .string()
  .regex(/^\d+(,\d+)*$/, 'must be whole numbers of seconds, separated by commas')
  .transform((text) => text.split(',').map(Number));

const host = z.string().regex(/^[\w.:-]+$/, 'must be an address or a host name');

const url = (...protocols: string[]) =>
  z.string().refine(
    (text) => {
      const parsed = URL.parse(text);
      return parsed !== null && protocols.includes(parsed.protocol);
    },
    `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );

/** One environment variable. `fallback` is its text form; a function of NODE_ENV where the profiles differ, undefined for none. */
interface Setting<S extends z.ZodType> {
  readonly schema: S;
  readonly fallback: string | undefined | ((profile: string) => string | undefined);
  readonly about: string;
}

const setting = <S extends z.ZodType>(schema: S, fallback: Setting<S>['fallback'], about: string): Setting<S> => ({
  schema,
  fallback,
  about,
});

const port = integer(0, 65_535);
const seconds = (max: number) => integer(0, max);
const WEEK = 604_800;

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
    'Database connections for requests at most; deliveries have up to ten of their own.',
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
    (profile) => (profile === 'production' ? '' : '127.0.0.0/8,::1/128'),
    'Private address ranges that subscriptions may name, also by http; loopback outside production.',
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
    'An HTTP proxy through which every delivery goes out (CONNECT); it then resolves the names.',
  ),
  MEDIA_STORAGE: setting(
    z.string().min(1).optional(),
    undefined,
    'Where media files are kept: a directory, or an S3 endpoint and bucket.',
  ),
  TRUSTED_PROXIES: setting(proxies, '', 'Addresses and ranges of proxies whose X-Forwarded headers count.'),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The least severe lines that are logged.',
  ),
} as const;
