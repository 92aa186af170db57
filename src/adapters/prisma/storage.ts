import type { MigrateOptions, NodeOptions, Storage, StoragePorts, StorageTool, MaintenanceTask } from '../storage/storage.ts';
import { isEmptyDatabase } from './archive/load.ts';
import { lastBackup } from './archive/last-backup.ts';
import { clockSkewMs } from './connection/clock-skew.ts';
import { openDatabase, withoutStatementTimeout, type Database } from './connection/database.ts';
import { GENERATION, NODE_NAME, requireGeneration } from './connection/generation.ts';
import { analyseGrown } from './connection/growing-tables.ts';
import { migrate, migrationsCheck } from './connection/migrate.ts';
import { endOfUpgrade, SECONDS_BETWEEN_LOOKS } from './connection/older-processes.ts';
import { refuseSharedConnections } from './connection/pooling.ts';
import { hasStandby, readReplication, replicationFigures } from './connection/replication.ts';
import { createNodeSession } from './connection/node-session.ts';
import { checkWrites } from './connection/write-check.ts';
import { sealedSecrets } from './identity/sealed-secrets.ts';
import { processes } from './insight/processes.ts';
import { createPrismaPorts, type PrismaPortsOptions } from './ports.ts';
import { ReadCache } from './reading/read-cache.ts';
import { createFeedSignal } from './webhooks/feed/feed-signal.ts';
import { deliveryRepository } from './webhooks/queue/delivery-repository.ts';
import { createNodeMessages } from './work/node-messages.ts';
import { createWorkLeases } from './work/work-lease.ts';

/**
 * Connections of the worker only. A request that stops deliveries keeps one of the others while the
 * worker needs one to record attempts.
 */
const WORK_CONNECTIONS = 5;
/**
 * All attempts in flight wait for their record, and one statement records many. It does not wait
 * behind the look-ups. One server needs one connection; the stores of a Citus cluster are recorded side by side.
 */
const SETTLE_CONNECTIONS = 4;

/** A table may grow by thousands of rows in a second. */
const ANALYSE_SECONDS = 1;

const CONNECTION_LOST = 'A database connection was lost.';
const SESSION_LOST = 'The connection for work leases and messages between nodes was lost. It is opened again when it is needed.';

const toolOn = (url: string, database: Database): StorageTool => ({
  secrets: sealedSecrets(database),
  processes: processes(database),
  isMigrated: migrationsCheck(database),
  isEmpty: () => isEmptyDatabase(url),
  migrate: async (options?: MigrateOptions) => {
    await refuseSharedConnections(url);
    await migrate(database, options);
  },
  close: () => database.close(),
});

export const openTool = (url: string): StorageTool => toolOn(url, openDatabase({ url, connections: 1 }));

const maintenanceOf = (database: Database): readonly MaintenanceTask[] => [
  {
    task: 'The analysis of tables that have grown',
    seconds: ANALYSE_SECONDS,
    isWorkers: true,
    run: () => analyseGrown(database),
  },
  { task: 'The end of the upgrade', seconds: SECONDS_BETWEEN_LOOKS, isWorkers: false, run: endOfUpgrade(database) },
];

export interface PrismaStorage extends Storage {
  readonly database: Database;
}

/** The storage of a node. The first statement connects. */
export const openStorage = (url: string, { onLost, ...options }: NodeOptions): PrismaStorage => {
  const { connections, statementTimeoutMs } = options;
  const shared = { url, onIdleError: (error: Error) => onLost(error, CONNECTION_LOST) };
  const database = openDatabase({ ...shared, name: NODE_NAME, connections, statementTimeoutMs, pipelined: true });
  const working = openDatabase({ ...shared, name: 'tenon deliveries', connections: WORK_CONNECTIONS });
  const settling = openDatabase({ ...shared, name: 'tenon deliveries', connections: SETTLE_CONNECTIONS });
  const session = createNodeSession({ url, onLost: (error) => onLost(error, SESSION_LOST) });
  const workLeases = createWorkLeases({ session, sql: working, onError: (error) => onLost(error, SESSION_LOST) });
  const feedSignal = createFeedSignal({ session, sql: working, onError: (error) => onLost(error, SESSION_LOST) });
  const readCache = new ReadCache(options.readCacheMb);
  const portsOptions: PrismaPortsOptions = { ...options, readCache, announceStop: workLeases.announceStop };
  const deliveries = deliveryRepository(working, options, settling);
  const portsOn = (limited: Database): StoragePorts => ({
    ...createPrismaPorts(limited, portsOptions),
    deliveries,
    workLeases,
    feedSignal,
  });
  return {
    ...toolOn(url, database),
    database,
    app: portsOn(database),
    unlimited: portsOn(withoutStatementTimeout(database)),
    openMessages: (onMessagesLost) => createNodeMessages({ session, onLost: onMessagesLost }),
    checkWrites: () => checkWrites(database),
    hasStandby: () => hasStandby(database),
    generation: GENERATION,
    clockSkewMs: () => clockSkewMs(database, () => Date.now()),
    requireGeneration: () => requireGeneration(database),
    maintenance: maintenanceOf(database),
    figures: () => ({ pool: database.poolFigures(), readCache: readCache.figures }),
    lastBackup: () => lastBackup(database),
    replicationFigures: async () => replicationFigures(await readReplication(database)),
    close: async () => {
      await feedSignal.close();
      await workLeases.close();
      await session.close();
      await Promise.all([working.close(), settling.close()]);
      await database.close();
    },
  };
};
