import type { Logger } from 'pino';
import 'reflect-metadata';
import { container as root, instanceCachingFactory, type DependencyContainer } from 'tsyringe';

import { createApplication } from '../../../application/index.ts';
import type { ApplicationSettings } from '../../../application/settings.ts';
import type { ProcessRole } from '../../../domain/insight/processes.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { NodeMessages } from '../../../domain/ports/node-messages.ts';
import { ConnectionLost } from '../../../domain/unavailable.ts';
import { createLiveReaders } from '../../http/live/live-readers.ts';
import { InFlight } from '../../http/serving/listener/in-flight.ts';
import { SandboxBudget } from '../../http/serving/sandbox-budget.ts';
import type { WorkShare } from '../../http/work-share.ts';
import { createLiveChannel } from '../../live/live-channel.ts';
import { systemClock } from '../../node/clock.ts';
import { timeOrderedIds } from '../../node/ids.ts';
import { outageErrors } from '../../node/logger.ts';
import { memoryRateLimiter } from '../../node/rate-limiter.ts';
import type { OwnFigures } from '../../prometheus/gauges.ts';
import { createMetrics } from '../../prometheus/metrics.ts';
import { createRedisNodeMessages } from '../../redis/node-messages.ts';
import { redisRateLimiter } from '../../redis/rate-limiter.ts';
import { VERSION } from '../../startup/version.ts';
import type { Storage } from '../../storage/storage.ts';
import { createNodeObservations } from '../node-observations.ts';
import { joinProcesses } from '../processes/membership.ts';
import { workShare } from '../processes/work-share.ts';
import type { Config } from '../settings/config.ts';
import { rateLimitPolicies, applicationSettings, retrySchedule, storageSettings } from '../settings/derived-settings.ts';
import { requirePlainPorts } from '../../storage/plain-ports.ts';
import { requirePromises } from '../require-promises.ts';
import { engineAt, holdStorage } from '../storage.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { tracedPorts, tracingImports } from '../tracing/traced-ports.ts';
import type { Opening, Closers } from './closers.ts';
import { watchGeneration } from './generation-watch.ts';
import { publishingImports } from './live-sources.ts';
import { runMaintenance } from './maintenance.ts';
import { observeAttempt } from './observe-attempt.ts';
import { openPorts } from './ports.ts';
import { countSharedFigures } from './shared-figures.ts';
import { TOKENS, type Token } from './tokens.ts';

/** Counts in Redis where there is one, so that all nodes share the counts. Otherwise `given` does, or this process. */
const openLimiter = (config: Config, { log, closers }: Pick<Opening, 'log' | 'closers'>, given?: RateLimiter): RateLimiter => {
  const policies = rateLimitPolicies(config);
  if (config.REDIS_URL === undefined) return given ?? memoryRateLimiter(policies);
  const limiter = redisRateLimiter({
    url: config.REDIS_URL,
    policies,
    onLost: (error) => {
      log.warn({ err: new ConnectionLost(error) }, 'Redis cannot be reached. This node limits by itself.');
    },
  });
  closers.push(() => {
    limiter.close();
  });
  return limiter;
};

/** Opens the messages between nodes, over Redis or else over the database. */
const openMessages = (config: Config, storage: Storage, { log, closers }: Opening): NodeMessages => {
  const onLost = (error: Error): void => {
    log.warn(
      { err: new ConnectionLost(error) },
      'The connection for messages between nodes was lost. Live streams show what happens on this node only.',
    );
  };
  const messages =
    config.REDIS_URL === undefined ? storage.openMessages(onLost) : createRedisNodeMessages({ url: config.REDIS_URL, onLost });
  closers.push(() => messages.close());
  return messages;
};

const ownFigures = (resolve: <T>(token: Token<T>) => T) => (): OwnFigures => ({
  outageErrors: outageErrors(resolve(TOKENS.log)),
  oldestRequestSeconds: resolve(TOKENS.inFlight).oldestSeconds(),
  liveReaders: resolve(TOKENS.liveReaders).count(),
  slowLiveReaders: resolve(TOKENS.liveReaders).slow(),
  names: resolve(TOKENS.nameFigures)(),
  ...resolve(TOKENS.storage).figures(),
});

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
  /** In place of one that counts in this process. */
  readonly workShare?: WorkShare;
  /** ROLE by default. An API process beside the primary does less. */
  readonly role?: ProcessRole;
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
  { decorate = (ports) => ports, limiter: given, workShare: sharing = workShare(), role = config.ROLE }: ContainerOptions = {},
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
  const clock = systemClock;
  const ids = timeOrderedIds(clock);
  const engine = engineAt(databaseUrl);
  requirePromises(engine.promises, config);
  const adapter = await engine.load();
  closers.push(await holdStorage(databaseUrl));
  once(TOKENS.storage, () => {
    const storage = adapter.open(databaseUrl, {
      ...storageSettings(config),
      clock,
      ids,
      onLost: (error, message) => {
        log.warn({ err: new ConnectionLost(error) }, message);
      },
    });
    closers.push(() => storage.close());
    requirePlainPorts(storage.app);
    requirePlainPorts(storage.unlimited);
    return storage;
  });
  once(TOKENS.observations, () => createNodeObservations(clock));
  once(TOKENS.generation, () => watchGeneration(resolve(TOKENS.storage)));
  once(TOKENS.inFlight, () => new InFlight());
  once(TOKENS.limiter, () => openLimiter(config, { log, closers }, given));
  once(TOKENS.workShare, () => sharing);
  once(TOKENS.sandboxBudget, () => new SandboxBudget());
  once(TOKENS.sharedFigures, () => countSharedFigures(resolve(TOKENS.ports), resolve(TOKENS.storage), log));
  once(TOKENS.metrics, () =>
    createMetrics(
      { version: VERSION, generation: resolve(TOKENS.storage).generation },
      {
        own: ownFigures(resolve),
        shared: () => resolve(TOKENS.sharedFigures).latest(),
      },
    ),
  );
  try {
    const storage = resolve(TOKENS.storage);
    await storage.migrate({ onWait: (message) => log.warn(message) });
    const opening = { databaseUrl, log, closers };
    const tracer = await openTracing(config, opening);
    once(TOKENS.tracer, () => tracer);
    const live = createLiveChannel({ messages: openMessages(config, storage, opening) });
    closers.push(() => live.close());
    once(TOKENS.live, () => live);
    once(TOKENS.liveReaders, () => createLiveReaders({ channel: live, find: (id) => resolve(TOKENS.ports).stores.get(id) }));
    const member = { role, keys: config.SECRET_KEYS.map(({ kid }) => kid) };
    const membership = await joinProcesses({ ...storage.unlimited, ids }, member, log);
    closers.push(() => membership.leave());
    once(TOKENS.membership, () => membership);
    const opened = await openPorts(config, {
      ...opening,
      storage,
      live,
      membership,
      clock,
      ids,
      onUnopened: resolve(TOKENS.observations).unopened,
    });
    once(TOKENS.nameFigures, () => opened.nameFigures);
    closers.push(runMaintenance([...storage.maintenance, ...opened.maintenance], log, { isWorkers: false }));
    const portsOf = (ports: Ports): Ports => (tracer ? tracedPorts(decorate(ports), tracer, engine.system) : decorate(ports));
    const [app, unlimited] = [portsOf(opened.app), portsOf(opened.unlimited)];
    const settings = (): ApplicationSettings => ({
      ...applicationSettings(config),
      delivery: {
        schedule: retrySchedule(config),
        onAttempt: observeAttempt({ metrics: resolve(TOKENS.metrics), live, tracer }),
      },
    });
    once(TOKENS.ports, () => unlimited);
    once(TOKENS.application, () => {
      const application = publishingImports(createApplication(unlimited, settings()), { live, clock: unlimited.clock });
      return tracer ? tracingImports(application, tracer) : application;
    });
    once(TOKENS.appApplication, () => createApplication(app, settings()));
  } catch (error) {
    await close();
    throw error;
  }
  return { resolve, close };
};
