import { z } from 'zod';

import { MAX_BULK_PRODUCTS } from '../../../domain/catalogue/bulk-change.ts';
import { MIN_ADMIN_TOKEN } from '../../../domain/identity/token.ts';
import { messageOf } from '../../../domain/values/error.ts';
import { isLoopback, parseUrl } from '../../../domain/values/url.ts';
import { parseSecretKeys } from '../../startup/secret-keys.ts';
import { READ_CACHE_MB } from '../../storage/storage.ts';
import { ENGINES } from '../storage.ts';
import { limitSettings } from './limit-settings.ts';
import { outgoingSettings } from './outgoing-settings.ts';
import {
  readBy,
  secretSetting,
  setting,
  url,
  origin,
  domainName,
  databaseUrl,
  host,
  hostList,
  inDevelopment,
  integerSetting,
  kidList,
  port,
  proxies,
  seconds,
  WEEK,
  workers,
} from './setting-kinds.ts';

/** Equals the form of a webhook's signing secret. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/** A plain address: no name beside it, and nothing that could begin another header. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;
const mailbox = z.string().regex(ADDRESS, 'must be an address such as ops@example.com');
const mailboxes = readBy((text) => {
  const addresses = text.split(',').map((address) => address.trim());
  for (const address of addresses) mailbox.parse(address);
  return addresses;
}, 'must be addresses such as ops@example.com, separated by commas');

const incidentSettings = {
  INCIDENT_WEBHOOK_URL: setting(
    url('https:', 'http:').optional(),
    undefined,
    'Where incidents are sent as signed webhooks. Private addresses need WEBHOOK_ALLOWED_CIDRS.',
    { secret: 'path' },
  ),
  INCIDENT_WEBHOOK_SECRET: secretSetting(
    z.string().regex(SECRET, 'must be whsec_ and 24 to 64 bytes in base64').optional(),
    'Signs these webhooks: `whsec_` and 24 to 64 random bytes in base64.',
  ),
  INCIDENT_SMTP_URL: setting(
    url('smtp:', 'smtps:').optional(),
    undefined,
    'Server for mail about incidents: `smtps://user:password@host:465`, or `smtp://host:587` with STARTTLS, which a password needs.',
  ),
  INCIDENT_MAIL_FROM: setting(mailbox.optional(), undefined, 'Address from which this mail is sent.'),
  INCIDENT_MAIL_TO: setting(mailboxes.optional(), undefined, 'Addresses that get this mail, separated by commas.'),
  INCIDENT_SLACK_URL: setting(
    url('https:', 'http:').optional(),
    undefined,
    'Incoming webhook of Slack, or of a compatible service, for messages about incidents.',
    { secret: 'path' },
  ),
} as const;

/** Tokens and codes go there, so plain http is for this machine alone. */
const isIssuer = (text: string): boolean => {
  const parsed = parseUrl(text);
  if (parsed?.search !== '' || parsed.hash !== '') return false;
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname));
};

const signInSettings = {
  CONSOLE_URL: setting(
    origin.optional(),
    undefined,
    'Where people open the console, such as `https://admin.example.com`. Passkeys and OpenID Connect are bound to it. Default: the address of each request.',
  ),
  OIDC_ISSUER: setting(
    z.string().refine(isIssuer, 'must be a URL that begins with https://, or with http:// on this machine').optional(),
    undefined,
    'Identity provider with which operators sign in: its issuer, as in its OpenID Connect metadata.',
  ),
  OIDC_CLIENT_ID: setting(z.string().min(1).optional(), undefined, 'Client id of this server at the identity provider.'),
  OIDC_CLIENT_SECRET: secretSetting(z.string().min(1).optional(), 'Client secret of this server at the identity provider.'),
  OIDC_NAME: setting(
    z.string().max(40, 'must have at most 40 characters').optional(),
    undefined,
    'Name of the identity provider on the button of the sign-in page. Default: the host of OIDC_ISSUER.',
  ),
} as const;

const platformAppSettings = {
  CONSENT_URL: setting(
    url('https:', 'http:').optional(),
    undefined,
    "Page on which a merchant decides about the installation of a platform app. Default: the console's, on CONSOLE_URL, the first of CONSOLE_HOSTS or ADMIN_HOST.",
  ),
  SANDBOX_DOMAIN: setting(
    domainName.optional(),
    (of) => (of('NODE_ENV') === 'production' ? undefined : 'localhost'),
    'Domain below which the sandbox stores of app developers are, such as `sandbox.example.com`. In production, without it there are none.',
  ),
} as const;

/**
 * Connections of a process beside those for requests, at most: 6 for deliveries, 4 for each of the two queues, and one for
 * leases, the feed and the messages of nodes. With Redis, the queues take no connection.
 */
export const BESIDE_REQUESTS = 15;

const QUEUE_ENGINES = ENGINES.flatMap(({ name, promises }) => (promises.has('job_queue') ? [name] : [])).join(' or ');

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
    `${ENGINES.map(({ about }) => about).join(' ')} Default: the embedded PostgreSQL, except in production.`,
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
    `Redis for the delivery queue and for rate limits shared by all nodes. Default: ${QUEUE_ENGINES} and memory.`,
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
