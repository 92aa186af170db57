import 'reflect-metadata';
import type { Logger } from 'pino';
import { container as root, instanceCachingFactory } from 'tsyringe';
import type { DependencyContainer } from 'tsyringe';

import { createApplication } from '../../application/index.ts';
import type { Application } from '../../application/index.ts';
import { createLiveReaders } from '../http/live/live-readers.ts';
import type { LiveReaders } from '../http/live/live-readers.ts';
import type { ApplicationFor } from '../http/serving/context.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { LiveChannel } from '../../domain/ports/live-channel.ts';
import type { RateLimiter } from '../../domain/ports/rate-limiter.ts';
import { causedBy } from './caused-by.ts';
import type { Config } from './config.ts';
import { createLiveChannel } from '../node/live-channel.ts';
import { rateLimiter as memoryRateLimiter } from '../node/rate-limiter.ts';
import type { Closers } from './closers.ts';
import { applicationSettings, rateLimitPolicies } from './derived-settings.ts';
import { publishAfterCommit, publishingImports } from './live-sources.ts';
import { openMessages } from './messages.ts';
import { openPorts } from './ports.ts';
import { openDatabase } from '../prisma/connection/database.ts';
import type { Database } from '../prisma/connection/database.ts';
import { migrate } from '../prisma/connection/migrate.ts';
import { VERSION } from './version.ts';
import { ReadCache } from '../prisma/reading/read-cache.ts';
import { createMetrics } from '../prometheus/metrics.ts';
import type { Metrics } from '../prometheus/metrics.ts';
import { rateLimiter as redisRateLimiter } from '../redis/rate-limiter.ts';

/** A name with a type, so that what is resolved has the type of what was registered. */
class Token<T> {
  declare readonly type: T;
  constructor(readonly name: string) {}
}

export const TOKENS = {
  log: new Token<Logger>('log'),
  config: new Token<Config>('config'),
  database: new Token<Database>('database'),
  readCache: new Token<ReadCache>('readCache'),
  ports: new Token<Ports>('ports'),
  limiter: new Token<RateLimiter>('limiter'),
  metrics: new Token<Metrics>('metrics'),
  live: new Token<LiveChannel>('live'),
  liveReaders: new Token<LiveReaders>('liveReaders'),
  /** For the admin API. */
  application: new Token<Application>('application'),
  /** For the app API. Its statements are cancelled after DATABASE_STATEMENT_TIMEOUT_MS. */
  appApplication: new Token<Application>('appApplication'),
  /** The same two for one request that writes, by its id. */
  applicationFor: new Token<ApplicationFor>('applicationFor'),
  appApplicationFor: new Token<ApplicationFor>('appApplicationFor'),
};

export interface Container {
  resolve<T>(token: Token<T>): T;
  /** Closes what was created, the last first. */
  close(): Promise<void>;
}

export interface ContainerOptions {
  /**
   * Wraps the ports: a test kills the process between two steps of a protocol, and an API process
   * shares its limits with others.
   */
  readonly decorate?: (ports: Ports) => Ports;
  /** In place of one that counts in this process. With Redis it is not used. */
  readonly limiter?: RateLimiter;
}

/**
 * The composition root: it chooses the adapter for each port. tsyringe's dispose() does not close
 * what factories created, so closers are kept in a list. Migrates the database first, since the
 * adapters need its tables. Throws a StartFailure for an error that the operator can fix.
 */
export const createContainer = async (
  config: Config,
  databaseUrl: string,
  log: Logger,
  { decorate = (ports) => ports, limiter: given }: ContainerOptions = {},
): Promise<Container> => {
  const child: DependencyContainer = root.createChildContainer();
  const closers: Closers = [];
  const resolve = <T>(token: Token<T>): T => child.resolve<T>(token.name);
  const close = async (): Promise<void> => {
    for (const closer of closers.reverse()) await closer();
  };
  const once = <T>(token: Token<T>, create: () => T): void => {
    child.register<T>(token.name, { useFactory: instanceCachingFactory(create) });
  };

  once(TOKENS.log, () => log);
  once(TOKENS.config, () => config);
  once(TOKENS.database, () => {
    const database = openDatabase({
      url: databaseUrl,
      name: 'tenon requests',
      connections: config.DATABASE_CONNECTIONS,
      pipelined: true,
      statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
      onIdleError: (error) => {
        log.warn({ err: error }, 'A database connection was lost.');
      },
    });
    closers.push(() => database.close());
    return database;
  });
  once(TOKENS.readCache, () => new ReadCache(config.READ_CACHE_MB));
  once(TOKENS.limiter, () => {
    if (config.REDIS_URL === undefined) return given ?? memoryRateLimiter(rateLimitPolicies(config));
    const limiter = redisRateLimiter({
      url: config.REDIS_URL,
      policies: rateLimitPolicies(config),
      onLost: (error) => {
        log.warn({ err: error }, 'Redis cannot be reached. This node limits by itself.');
      },
    });
    closers.push(() => {
      limiter.close();
    });
    return limiter;
  });
  once(TOKENS.metrics, () => {
    const { deliveries, deliveryQueue, importQueue, mediaImports } = resolve(TOKENS.ports);
    const { pool } = resolve(TOKENS.database);
    return createMetrics(VERSION, {
      own: () => ({
        liveReaders: resolve(TOKENS.liveReaders).count(),
        slowLiveReaders: resolve(TOKENS.liveReaders).slow(),
        readCache: resolve(TOKENS.readCache).figures,
        pool: { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
      }),
      shared: async () => ({
        waitingJobs: (await deliveryQueue.depth()) + (await importQueue.depth()),
        openImports: await mediaImports.open(),
        ...(await deliveries.figures()),
      }),
    });
  });
  try {
    await migrate(resolve(TOKENS.database));
    const ground = { database: resolve(TOKENS.database), databaseUrl, readCache: resolve(TOKENS.readCache), log, closers };
    const opened = await openPorts(config, ground);
    const live = createLiveChannel({ messages: openMessages(config, { databaseUrl, log, closers }) });
    closers.push(() => live.close());
    once(TOKENS.live, () => live);
    once(TOKENS.liveReaders, () => createLiveReaders(live));
    const source = { live, clock: opened.app.clock };
    const watched = (ports: Ports): Ports => ({ ...ports, transaction: publishAfterCommit(ports.transaction, source) });
    const [app, patient] = [watched(decorate(opened.app)), watched(decorate(opened.patient))];
    once(TOKENS.ports, () => patient);
    once(TOKENS.application, () => createApplication(patient, applicationSettings(config)));
    once(TOKENS.appApplication, () => createApplication(app, applicationSettings(config)));
    once(
      TOKENS.applicationFor,
      () => (id) => publishingImports(createApplication(causedBy(patient, id), applicationSettings(config)), source, id),
    );
    once(TOKENS.appApplicationFor, () => (id) => createApplication(causedBy(app, id), applicationSettings(config)));
  } catch (error) {
    await close();
    throw error;
  }
  return { resolve, close };
};
