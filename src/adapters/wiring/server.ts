import type { Logger } from 'pino';

import type { Ports } from '../../domain/ports/index.ts';
import { createReadiness } from '../http/pages/readiness.ts';
import type { Readiness } from '../http/pages/readiness.ts';
import type { Listener } from '../http/serving/listener.ts';
import { isReachable } from '../prisma/connection/database.ts';
import { migrationsCheck } from '../prisma/connection/migrate.ts';
import type { Config } from './config.ts';
import { createContainer, TOKENS } from './container.ts';
import type { Container } from './container.ts';
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

const DRAIN_MS = 8_000;

/**
 * Migrates the database, opens the listeners and starts the background work, as ROLE has it: a
 * worker has no public listener. Throws a StartFailure for problems that the operator can fix.
 * `decorate`: see createContainer.
 */
export const startServer = async (
  config: Config,
  databaseUrl: string,
  log: Logger,
  decorate?: (ports: Ports) => Ports,
): Promise<Server> => {
  const container = await createContainer(config, databaseUrl, log, decorate);
  const gathering = startGathering(container, config);
  const opened: Listener[] = [];
  try {
    const database = container.resolve(TOKENS.database);
    const { deliveryQueue, feedSignal } = container.resolve(TOKENS.ports);
    let stopping = false;
    const judge = createReadiness({
      database: () => isReachable(database),
      migrations: migrationsCheck(database),
      queue: () => deliveryQueue.reachable(),
    });
    // Not judged once a second like the others: a balancer must see a stop at once.
    const readiness: Readiness = async () => ({ ...(await judge()), accepting: stopping ? 'failing' : 'ok' });
    const api = config.ROLE === 'worker' ? null : await listenPublic(container, config, readiness, gathering);
    if (api) opened.push(api);
    const admin = await listenAdmin(container, config, readiness, api?.url ?? null);
    opened.push(admin);
    const worker = config.ROLE === 'api' ? null : startWorker(container, config);
    return {
      url: api?.url ?? null,
      adminUrl: admin.url,
      container,
      stop: async () => {
        stopping = true;
        container.resolve(TOKENS.liveReaders).close();
        feedSignal.endWatches();
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
