import type { ApplicationSettings } from '../../../application/settings.ts';
import { rateLimitPolicy, type RateLimitPolicies } from '../../../domain/identity/rate-limit.ts';
import type { RetrySchedule } from '../../../domain/webhooks/delivery.ts';
import { demoCatalogue } from '../../demo/catalogue.ts';
import { EVENT_FIELDS } from '../../http/webhooks/event-fields.ts';
import type { NodeOptions } from '../../storage/storage.ts';
import type { Address } from '../../startup/addresses.ts';
import type { Config } from './config.ts';
import { BESIDE_REQUESTS } from './settings.ts';

/** Many stores of a platform app renew their tokens at one time, from one address. */
const ADDRESS_BURST_SECONDS = 60;

export const rateLimitPolicies = (config: Config): RateLimitPolicies => ({
  installation: rateLimitPolicy(config.RATE_LIMIT_PER_SECOND, config.RATE_LIMIT_BURST),
  'token-app': rateLimitPolicy(config.TOKEN_APP_RATE_LIMIT_PER_SECOND, config.TOKEN_APP_RATE_LIMIT_BURST),
  'token-client': rateLimitPolicy(config.TOKEN_RATE_LIMIT_PER_SECOND, config.TOKEN_RATE_LIMIT_BURST),
  'token-failures': rateLimitPolicy(config.TOKEN_RATE_LIMIT_PER_SECOND, config.TOKEN_RATE_LIMIT_BURST),
  'token-address': rateLimitPolicy(
    config.TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND,
    ADDRESS_BURST_SECONDS * config.TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND,
  ),
  'admin-address': { limit: config.ADMIN_FAILURES_PER_MINUTE, windowSeconds: 60 },
});

export const connectionsOf = ({ DATABASE_CONNECTIONS }: Pick<Config, 'DATABASE_CONNECTIONS'>): number =>
  DATABASE_CONNECTIONS + BESIDE_REQUESTS;

/** More would need more database connections than one server can spare. */
const MOST_BY_CORES = 64;

/**
 * Number of API processes of a node on a machine with this many cores, 64 at most. 0: it serves the
 * API itself, or not at all.
 */
export const apiProcesses = ({ WORKERS, ROLE }: Pick<Config, 'WORKERS' | 'ROLE'>, cores: number): number => {
  const wanted = WORKERS === 'auto' ? Math.min(cores, MOST_BY_CORES) : WORKERS;
  return wanted === 1 || ROLE === 'worker' ? 0 : wanted;
};

/**
 * Connections to the public listener that each of its processes takes at most: an equal share, rounded
 * up, so that none has 0 and all together have no fewer than the setting says.
 */
export const connectionShare = ({ MAX_CONNECTIONS }: Pick<Config, 'MAX_CONNECTIONS'>, processes: number): number =>
  Math.ceil(MAX_CONNECTIONS / processes);

export const publicAddress = ({ HOST: host, PORT: port }: Pick<Config, 'HOST' | 'PORT'>): Address => ({
  host,
  port,
  hostSetting: 'HOST',
  portSetting: 'PORT',
});

export const adminAddress = ({ ADMIN_HOST: host, ADMIN_PORT: port }: Pick<Config, 'ADMIN_HOST' | 'ADMIN_PORT'>): Address => ({
  host,
  port,
  hostSetting: 'ADMIN_HOST',
  portSetting: 'ADMIN_PORT',
});

/** Every address that a start opens, as ROLE has it. */
export const addressesOf = (config: Pick<Config, 'ROLE' | 'HOST' | 'PORT' | 'ADMIN_HOST' | 'ADMIN_PORT'>): readonly Address[] =>
  config.ROLE === 'worker' ? [adminAddress(config)] : [publicAddress(config), adminAddress(config)];

const LOOPBACK = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+)$/;

/** A store's domain has a proxy before it that speaks https, except on the machine itself. */
const appConsoleUrl =
  (port: number) =>
  (domain: string): string =>
    LOOPBACK.test(domain) ? `http://${domain}:${String(port)}/apps/console/` : `https://${domain}/apps/console/`;

/** The page of the console, by the first name under which it is open elsewhere. */
const consentUrl = ({ ADMIN_HOST, ADMIN_PORT, CONSOLE_URL, CONSOLE_HOSTS: [host] }: Config): string => {
  const elsewhere = CONSOLE_URL ?? (host === undefined ? undefined : `https://${host}`);
  return `${elsewhere ?? `http://${ADMIN_HOST}:${String(ADMIN_PORT)}`}/console/install`;
};

/** The hosts under which the console is open, beside the loopback addresses. */
export const consoleHosts = ({ ADMIN_HOST, CONSOLE_HOSTS, CONSOLE_URL }: Config): readonly string[] => [
  ADMIN_HOST,
  ...CONSOLE_HOSTS,
  ...(CONSOLE_URL === undefined ? [] : [new URL(CONSOLE_URL).hostname.replace(/^\[(.*)\]$/, '$1')]),
];

/** Settings for the storage of a node. */
export const storageSettings = (config: Config): Omit<NodeOptions, 'clock' | 'ids' | 'onLost'> => ({
  connections: config.DATABASE_CONNECTIONS,
  statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
  searchTimeoutMs: config.SEARCH_TIMEOUT_MS,
  idempotencyTtlSeconds: config.IDEMPOTENCY_TTL_SECONDS,
  accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
  readCacheMb: config.READ_CACHE_MB,
});

export const retrySchedule = (config: Config): RetrySchedule => ({
  waits: config.WEBHOOK_RETRY_SECONDS,
  jitter: config.WEBHOOK_RETRY_JITTER,
});

/** Settings for the use cases. */
export const applicationSettings = (config: Config): Omit<ApplicationSettings, 'delivery'> => ({
  idempotencyMaxResponseBytes: config.IDEMPOTENCY_MAX_RESPONSE_BYTES,
  bulkMaxProducts: config.BULK_MAX_PRODUCTS,
  secretOverlapSeconds: config.SECRET_OVERLAP_SECONDS,
  webhookAllowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
  eventFields: EVENT_FIELDS,
  adminToken: config.ADMIN_TOKEN,
  consentUrl: config.CONSENT_URL ?? consentUrl(config),
  sandboxDomain: config.SANDBOX_DOMAIN ?? null,
  demoCatalogue,
  appConsoleUrl: config.APP_CONSOLE ? appConsoleUrl(config.PORT) : null,
});
