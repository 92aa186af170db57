import 'reflect-metadata';
import type { Logger } from 'pino';
import { container as root, instanceCachingFactory, type DependencyContainer } from 'tsyringe';

import { createApplication } from '../../../application/index.ts';
import { createLiveReaders } from '../../http/live/live-readers.ts';
import { InFlight } from '../../http/serving/listener/in-flight.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import { ConnectionLost } from '../../../domain/unavailable.ts';
import type { Config } from '../settings/config.ts';
import { createLiveChannel } from '../../live/live-channel.ts';
import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { repeat } from '../../node/background.ts';
import { outageErrors } from '../../node/logger.ts';
import { rateLimiter as memoryRateLimiter } from '../../node/rate-limiter.ts';
import type { Closers } from './closers.ts';
import { applicationSettings, rateLimitPolicies } from '../settings/derived-settings.ts';
import { watchGeneration } from './generation-watch.ts';
import { publishingImports } from './live-sources.ts';
import { openMessages } from './messages.ts';
import { openPorts } from './ports.ts';
import { openDatabase } from '../../prisma/connection/database.ts';
import { migrate } from '../../prisma/connection/migrate.ts';
import { sealingOfCursors, SECONDS_BETWEEN_LOOKS } from '../../prisma/webhooks/first-cursors.ts';
import { refuseSharedConnections } from '../../prisma/connection/pooling.ts';
import { countSharedFigures } from './shared-figures.ts';
import { VERSION } from '../../startup/version.ts';
import { ReadCache } from '../../prisma/reading/read-cache.ts';
import { createMetrics } from '../../prometheus/metrics.ts';
import { rateLimiter as redisRateLimiter } from '../../redis/rate-limiter.ts';
import { TOKENS, type Token } from './tokens.ts';

export interface Container {
  resolve<T>(token: Token<T>): T;
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
    for (const closer of closers.toReversed()) await closer();
  };
  const once = <T>(token: Token<T>, create: () => T): void => {
    child.register<T>(token.name, { useFactory: instanceCachingFactory(create) });
  };

  once(TOKENS.log, () => log);
  once(TOKENS.config, () => config);
  once(TOKENS.stopping, () => new AbortController());
  once(TOKENS.database, () => {
    const database = openDatabase({
      url: databaseUrl,
      // Versions that read only cursors of the first version have another name here (first-cursors.ts).
      name: 'tenon node',
      connections: config.DATABASE_CONNECTIONS,
      pipelined: true,
      statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
      onIdleError: (error) => {
        log.warn({ err: new ConnectionLost(error) }, 'A database connection was lost.');
      },
    });
    closers.push(() => database.close());
    return database;
  });
  once(TOKENS.generation, () => watchGeneration(resolve(TOKENS.database)));
  once(TOKENS.inFlight, () => new InFlight());
  once(TOKENS.readCache, () => new ReadCache(config.READ_CACHE_MB));
  once(TOKENS.limiter, () => {
    if (config.REDIS_URL === undefined) return given ?? memoryRateLimiter(rateLimitPolicies(config));
    const limiter = redisRateLimiter({
      url: config.REDIS_URL,
      policies: rateLimitPolicies(config),
      onLost: (error) => {
        log.warn({ err: new ConnectionLost(error) }, 'Redis cannot be reached. This node limits by itself.');
      },
    });
    closers.push(() => {
      limiter.close();
    });
    return limiter;
  });
  once(TOKENS.sharedFigures, () => countSharedFigures(resolve(TOKENS.ports), resolve(TOKENS.database), log));
  once(TOKENS.metrics, () => {
    const { pool } = resolve(TOKENS.database);
    return createMetrics(VERSION, {
      own: () => ({
        outageErrors: outageErrors(log),
        oldestRequestSeconds: resolve(TOKENS.inFlight).oldestSeconds(),
        liveReaders: resolve(TOKENS.liveReaders).count(),
        slowLiveReaders: resolve(TOKENS.liveReaders).slow(),
        readCache: resolve(TOKENS.readCache).figures,
        pool: { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
      }),
      shared: () => resolve(TOKENS.sharedFigures).latest(),
    });
  });
  try {
    await refuseSharedConnections(databaseUrl);
    await migrate(resolve(TOKENS.database), { onWait: (message) => log.warn(message) });
    const live = createLiveChannel({ messages: openMessages(config, { databaseUrl, log, closers }) });
    closers.push(() => live.close());
    once(TOKENS.live, () => live);
    once(TOKENS.liveReaders, () => createLiveReaders(live));
    const opening = { database: resolve(TOKENS.database), databaseUrl, readCache: resolve(TOKENS.readCache), live, log, closers };
    const opened = await openPorts(config, opening);
    closers.push(
      repeat(SECONDS_BETWEEN_LOOKS, sealingOfCursors(resolve(TOKENS.database)), (error) => {
        if (!(error instanceof DatabaseUnavailable))
          log.error({ err: error }, 'Whether older processes run was not read. It will be read again.');
      }),
    );
    const [app, unlimited] = [decorate(opened.app), decorate(opened.unlimited)];
    const settings = applicationSettings(config);
    once(TOKENS.ports, () => unlimited);
    once(TOKENS.application, () => publishingImports(createApplication(unlimited, settings), { live, clock: unlimited.clock }));
    once(TOKENS.appApplication, () => createApplication(app, settings));
  } catch (error) {
    await close();
    throw error;
  }
  return { resolve, close };
};
