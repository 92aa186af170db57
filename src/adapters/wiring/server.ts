import type { Logger } from 'pino';

import type { Ports } from '../../domain/ports/index.ts';
import { rateLimitPolicy } from '../../domain/identity/rate-limit.ts';
import type { Config } from './config.ts';
import { createContainer, TOKENS } from './container.ts';
import type { Container } from './container.ts';
import { admitAdmin } from '../http/serving/admit-admin.ts';
import { createHttpApp } from '../http/serving/app.ts';
import { documentsOf, MAX_JSON_BYTES } from './documents.ts';
import { FailedTokens, rememberIssued } from '../http/serving/failed-tokens.ts';
import { createFailureLimit } from '../http/serving/failure-limit.ts';
import { admitApps } from '../http/serving/admit-app.ts';
import { createReadiness } from '../http/pages/readiness.ts';
import type { Readiness } from '../http/pages/readiness.ts';
import { trustsProxies } from '../http/serving/host.ts';
import { listen } from '../http/serving/listener.ts';
import type { Listener } from '../http/serving/listener.ts';
import { adminListenerRoutes, publicRoutes } from '../http/routes/listeners.ts';
import { isReachable } from '../prisma/connection/database.ts';
import { migrationsCheck } from '../prisma/connection/migrate.ts';
import { startWorker } from './worker.ts';

export interface Server {
  /** http://host:port of the public listener; null on a worker. */
  readonly url: string | null;
  readonly adminUrl: string;
  readonly container: Container;
  /** Stops accepting, lets what runs end, closes. Takes 10 s at most. */
  stop(): Promise<void>;
}

const DRAIN_MS = 8_000;
/** An import alone may take longer: it streams a file of any size. */
const REQUEST_MS = 30_000;

const bounds = (name: 'public' | 'admin', container: Container, config: Config) => ({
  requestTimeoutMs: REQUEST_MS,
  maxConnections: config.MAX_CONNECTIONS,
  onConnectionRefused: () => container.resolve(TOKENS.metrics).connectionRefused(name),
});

/** What both listeners serve their requests with. */
const shared = (container: Container, readiness: Readiness) => ({
  log: container.resolve(TOKENS.log),
  onRequest: container.resolve(TOKENS.metrics).request,
  limiter: container.resolve(TOKENS.limiter),
  resources: {
    readiness,
    metrics: container.resolve(TOKENS.metrics),
    mediaStorage: container.resolve(TOKENS.ports).mediaStorage,
  },
});

const listenPublic = (container: Container, config: Config, readiness: Readiness): Promise<Listener> => {
  const trusts = trustsProxies(config.TRUSTED_PROXIES);
  const { FAILED_TOKEN_RATE_LIMIT_PER_SECOND: perSecond, FAILED_TOKEN_RATE_LIMIT_BURST: burst } = config;
  const failures = new FailedTokens({ policy: rateLimitPolicy(perSecond, burst) });
  const application = rememberIssued(container.resolve(TOKENS.appApplication), failures);
  const http = createHttpApp({
    ...shared(container, readiness),
    application,
    routes: publicRoutes,
    openApi: documentsOf(config).app,
    admit: admitApps({ application, failures, trusts }),
    maxBodyBytes: { bulk: config.BULK_MAX_BODY_BYTES, other: MAX_JSON_BYTES },
    maxBulkProducts: config.BULK_MAX_PRODUCTS,
    errors: 'plain',
  });
  return listen(http, {
    host: config.HOST,
    port: config.PORT,
    hostSetting: 'HOST',
    portSetting: 'PORT',
    ...bounds('public', container, config),
    log: container.resolve(TOKENS.log),
    errors: 'plain',
  });
};

const listenAdmin = (container: Container, config: Config, readiness: Readiness): Promise<Listener> => {
  const { secrets } = container.resolve(TOKENS.ports);
  const http = createHttpApp({
    ...shared(container, readiness),
    application: container.resolve(TOKENS.application),
    routes: adminListenerRoutes,
    openApi: documentsOf(config).admin,
    admit: admitAdmin({
      isAdminToken: (token) => secrets.equal(token, config.ADMIN_TOKEN),
      failures: createFailureLimit(container.resolve(TOKENS.limiter), 'admin-address'),
      trusts: trustsProxies(config.TRUSTED_PROXIES),
    }),
    maxBodyBytes: { bulk: config.BULK_MAX_BODY_BYTES, other: config.BULK_MAX_BODY_BYTES },
    maxBulkProducts: config.BULK_MAX_PRODUCTS,
    errors: 'problem',
  });
  const { ADMIN_HOST: host, ADMIN_PORT: port } = config;
  return listen(http, {
    host,
    port,
    hostSetting: 'ADMIN_HOST',
    portSetting: 'ADMIN_PORT',
    ...bounds('admin', container, config),
    log: container.resolve(TOKENS.log),
    errors: 'problem',
  });
};

/**
 * Migrates the database, opens the listeners and starts the background work, as ROLE has it: a worker has no public listener. Throws a
 * StartFailure for problems that the operator can fix. `decorate`: see createContainer.
 */
export const startServer = async (
  config: Config,
  databaseUrl: string,
  log: Logger,
  decorate?: (ports: Ports) => Ports,
): Promise<Server> => {
  const container = await createContainer(config, databaseUrl, log, decorate);
  const opened: Listener[] = [];
  try {
    const database = container.resolve(TOKENS.database);
    const { deliveryQueue } = container.resolve(TOKENS.ports);
    let stopping = false;
    const judge = createReadiness({
      database: () => isReachable(database),
      migrations: migrationsCheck(database),
      queue: () => deliveryQueue.reachable(),
    });
    // Not judged once a second like the others: a balancer must see a stop at once.
    const readiness: Readiness = async () => ({ ...(await judge()), accepting: stopping ? 'failing' : 'ok' });
    const api = config.ROLE === 'worker' ? null : await listenPublic(container, config, readiness);
    if (api) opened.push(api);
    const admin = await listenAdmin(container, config, readiness);
    opened.push(admin);
    const worker = config.ROLE === 'api' ? null : startWorker(container, config);
    return {
      url: api?.url ?? null,
      adminUrl: admin.url,
      container,
      stop: async () => {
        stopping = true;
        await Promise.all([api?.close(DRAIN_MS), admin.close(DRAIN_MS), worker?.stop(DRAIN_MS)]);
        await container.close();
      },
    };
  } catch (error) {
    await Promise.all(opened.map((listener) => listener.close(0)));
    await container.close();
    throw error;
  }
};
