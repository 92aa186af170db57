import type { Logger } from 'pino';

import { createReadiness } from '../http/pages/readiness.ts';
import type { Readiness, ReadinessChecks } from '../http/pages/readiness.ts';
import type { Resources } from '../http/handler.ts';
import type { Listener } from '../http/serving/listener.ts';
import { isReachable } from '../prisma/connection/database.ts';
import { migrationsCheck } from '../prisma/connection/migrate.ts';
import type { Config } from './config.ts';
import { createContainer, TOKENS } from './container.ts';
import type { Container, ContainerOptions } from './container.ts';
import { startGathering } from './gathering.ts';
import { listenAdmin, listenPublic } from './listeners.ts';
import { startWorker } from './worker.ts';

export interface Server {
  /** http://host:port of the public listener; null on a worker. */
  readonly url: string | null;
  readonly adminUrl: string;
  readonly container: Container;
  /** Stops accepting, lets what runs end, closes. Takes 10 s at most. */
  stop(): Promise<void>;
}

/** The public listener of a node, or the API processes that share one. */
export interface PublicSide extends Listener {
  /** Set where other processes answer: the checks that they add, and the metrics of all. */
  readonly others?: { readonly checks: ReadinessChecks; readonly metrics: Resources['metrics'] };
}

export interface ServerOptions extends Pick<ContainerOptions, 'decorate'> {
  /** Opens the API processes in place of the public listener. */
  readonly openProcesses?: (container: Container) => Promise<PublicSide>;
}

export const DRAIN_MS = 8_000;

/** Whether a process can serve requests. */
export const readinessOf = (container: Container, isStopping: () => boolean, checks: ReadinessChecks = {}): Readiness => {
  const database = container.resolve(TOKENS.database);
  const { deliveryQueue } = container.resolve(TOKENS.ports);
  const judge = createReadiness({
    database: () => isReachable(database),
    migrations: migrationsCheck(database),
    queue: () => deliveryQueue.reachable(),
    ...checks,
  });
  // Not judged once a second like the others: a balancer must see a stop at once.
  return async () => ({ ...(await judge()), accepting: isStopping() ? 'failing' : 'ok' });
};

/** Ends what requests wait for, so that they do not keep a stop waiting. */
export const endWaits = (container: Container): void => {
  container.resolve(TOKENS.liveReaders).close();
  container.resolve(TOKENS.ports).feedSignal.endWatches();
};

/**
 * Migrates the database, opens the listeners and starts the background work, as ROLE has it: a
 * worker has no public listener. Throws a StartFailure for problems that the operator can fix.
 */
export const startServer = async (
  config: Config,
  databaseUrl: string,
  log: Logger,
  { decorate, openProcesses }: ServerOptions = {},
): Promise<Server> => {
  const container = await createContainer(config, databaseUrl, log, decorate && { decorate });
  const gathering = startGathering(container, config);
  const opened: Listener[] = [];
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const openPublic = (): Promise<PublicSide> =>
    openProcesses?.(container) ?? listenPublic(container, config, readinessOf(container, isStopping), gathering);
  try {
    const api = config.ROLE === 'worker' ? null : await openPublic();
    if (api) opened.push(api);
    const admin = await listenAdmin(container, config, readinessOf(container, isStopping, api?.others?.checks), api);
    opened.push(admin);
    const worker = config.ROLE === 'api' ? null : startWorker(container, config);
    return {
      url: api?.url ?? null,
      adminUrl: admin.url,
      container,
      stop: async () => {
        stopping = true;
        endWaits(container);
        await Promise.all([api?.close(DRAIN_MS), admin.close(DRAIN_MS), worker?.stop(DRAIN_MS)]);
        await gathering.stop();
        await container.close();
      },
    };
  } catch (error) {
    await Promise.all(opened.map((listener) => listener.close(0)));
    await gathering.stop();
    await container.close();
    throw error;
  }
};
