import type { Logger } from 'pino';

import { createReadiness, degradedBy, type Readiness, type ReadinessChecks } from '../../http/pages/readiness.ts';
import type { Resources } from '../../http/handler.ts';
import type { Listener } from '../../http/serving/listener/listener.ts';
import { isWorking, workState } from '../../../domain/insight/processes.ts';
import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { repeat } from '../../node/background.ts';
import type { Config } from '../settings/config.ts';
import { createContainer, type Container, type ContainerOptions } from '../ports/container.ts';
import { TOKENS } from '../ports/tokens.ts';
import { startGathering } from './gathering.ts';
import { requireKeys } from '../keys/require-keys.ts';
import { listenAdmin, listenPublic } from './listeners.ts';
import { standInForWorkers } from './stand-in.ts';
import { startWorker } from '../worker.ts';
import { pause } from '../../startup/deadline.ts';

export interface Server {
  /** http://host:port of the public listener; null on a worker. */
  readonly url: string | null;
  readonly adminUrl: string;
  readonly container: Container;
  /** Tells proxies that it stops, and serves meanwhile, for DRAIN_SECONDS. */
  drain(): Promise<void>;
  /** Stops accepting, lets what runs end, closes. Takes 10 s at most. */
  stop(): Promise<void>;
}

export interface PublicSide extends Listener {
  /** Set where other processes answer: the checks that they add, and the metrics of all. */
  readonly others?: { readonly checks: ReadinessChecks; readonly metrics: Resources['metrics'] };
}

export interface ServerOptions extends Pick<ContainerOptions, 'decorate'> {
  readonly openProcesses?: (container: Container) => Promise<PublicSide>;
}

export const DRAIN_MS = 8_000;
const LOOK_SECONDS = 1;

/** Judges what this node needs, and the checks that other processes of it add. */
export const judgeParts = (container: Container, checks: ReadinessChecks = {}): Readiness => {
  const { checkWrites, hasStandby, isMigrated } = container.resolve(TOKENS.storage);
  const { deliveryQueue, processes } = container.resolve(TOKENS.ports);
  const judge = createReadiness({
    database: () => checkWrites().then(() => true),
    standby: hasStandby,
    migrations: isMigrated,
    queue: () => deliveryQueue.reachable(),
    workers: async () => isWorking(workState(await processes.list())),
    ...checks,
  });
  // The work is in rows, and a sweep finds what the queue lost. To the worker the queue is what a database is to the others.
  const { ROLE } = container.resolve(TOKENS.config);
  const withoutQueue = ROLE === 'worker' ? judge : degradedBy('queue', judge);
  // Without a standby for which commits wait, reads continue.
  const withoutStandby = degradedBy('standby', withoutQueue);
  // Without a worker, requests are answered, and webhooks and imports wait.
  return degradedBy('workers', withoutStandby);
};

/** A stop is not judged once a second like the parts: a balancer must see it at once. */
export const readinessOf =
  (judge: Readiness, isStopping: () => boolean): Readiness =>
  async () => ({ ...(await judge()), accepting: isStopping() ? 'failing' : 'ok' });

/** Ends what requests wait for, and long requests, so that they do not keep a stop waiting. */
export const endWaits = (container: Container): void => {
  container.resolve(TOKENS.stopping).abort();
  container.resolve(TOKENS.liveReaders).close();
  container.resolve(TOKENS.ports).feedSignal.endWatches();
};

/** Looks each second, also where nobody asks for /readyz and no work is to be done. Each API process does. */
export const watchOwnGeneration = (container: Container): (() => Promise<void>) => {
  const log = container.resolve(TOKENS.log);
  return repeat(LOOK_SECONDS, container.resolve(TOKENS.generation).look, (error) => {
    if (!(error instanceof DatabaseUnavailable))
      log.error({ err: error }, 'The generation of the schema was not read. It will be read again.');
  });
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
  // Not by each API process: one that replaces another must serve what the others serve while keys are rotated.
  await requireKeys(container.resolve(TOKENS.storage).secrets, config, log).catch(async (error: unknown) => {
    await container.close();
    throw error;
  });
  const gathering = startGathering(container, config);
  const stops = [() => gathering.stop(), watchOwnGeneration(container)];
  const opened: Listener[] = [];
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const openPublic = (): Promise<PublicSide> =>
    openProcesses?.(container) ?? listenPublic(container, config, readinessOf(judgeParts(container), isStopping), gathering);
  try {
    const api = config.ROLE === 'worker' ? null : await openPublic();
    if (api) opened.push(api);
    const judge = judgeParts(container, api?.others?.checks);
    const admin = await listenAdmin(container, config, readinessOf(judge, isStopping), gathering, api);
    opened.push(admin);
    stops.push(container.resolve(TOKENS.sharedFigures).start(judge));
    const worker = config.ROLE === 'api' ? null : startWorker(container, config);
    if (!worker) stops.push(standInForWorkers(container, config));
    return {
      url: api?.url ?? null,
      adminUrl: admin.url,
      container,
      drain: async () => {
        stopping = true;
        for (const listener of opened) listener.drain();
        // Nobody sends requests to a worker.
        if (api) await pause(config.DRAIN_SECONDS * 1_000);
      },
      stop: async () => {
        stopping = true;
        endWaits(container);
        await Promise.all([api?.close(DRAIN_MS), admin.close(DRAIN_MS), worker?.stop(DRAIN_MS)]);
        await Promise.all(stops.map((stop) => stop()));
        await container.close();
      },
    };
  } catch (error) {
    await Promise.all(opened.map((listener) => listener.close(0)));
    await Promise.all(stops.map((stop) => stop()));
    await container.close();
    throw error;
  }
};
