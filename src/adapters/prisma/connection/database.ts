import type pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';

import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { PrismaClient } from '../../../generated/prisma/client.ts';
import { askOver } from '../../postgres/backends.ts';
import { statementLimit, Watch } from '../../postgres/watch.ts';
import { WatchedClient } from '../../postgres/watched-client.ts';
import { openWatchedPool } from '../../postgres/watched-pool.ts';
import type { StorageFigures } from '../../storage/storage.ts';
import { citusAt } from './citus/has-citus.ts';
import { repeatConflicts } from './conflict.ts';
import { beginEpoch, Epochs, NoEpochs } from './epochs.ts';
import { Pipeline } from './pipeline.ts';
import { poolSql, runOn } from './pool-sql.ts';
import { applySettings, LOOKS_UP_BY_KEY, verifySession } from './session.ts';
import type { Sql, TransactionSql } from './sql.ts';
import { inTransaction } from './transaction.ts';
import type { TransactionOptions } from './transaction-options.ts';
import { portError } from './unavailable.ts';

export interface Database extends Sql {
  /**
   * A connection for the statements of all requests. Statements of one turn of the event loop leave
   * in one write, which saves half of the cost of a short statement. It is for the short statement
   * that each request has: one that waits for a lock would hold up all others. Where no connection
   * is kept for it, and on a Citus cluster, this is the pool.
   */
  readonly pipeline: Sql;
  /** Prisma's client over the same pool, for plain rows (docs/architecture.md, "PostgreSQL"). It is made at the first call, which takes 15 ms. */
  prisma(): PrismaClient;
  readonly pool: pg.Pool;
  poolFigures(): StorageFigures['pool'];
  /** True while commits wait for a standby that is away. Writes are refused then. */
  isStalled(): boolean;
  /** True when several servers may have the stores, each some of them. */
  spreadsStores(): Promise<boolean>;
  transaction<T>(work: (sql: TransactionSql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

/** The operations of Prisma that write. */
const WRITES = /^(create|update|upsert|delete|\$execute)/;

/** Prisma's client, whose conflicts and outages are answered like those of every other statement. */
const prismaOn = (pool: pg.Pool, watch: Watch): PrismaClient => {
  const client = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: { maxWait: 10_000, timeout: 60_000 } });
  const translating = client.$extends({
    query: {
      $allOperations: ({ operation, args, query }) => {
        if (watch.isStalled && WRITES.test(operation)) return Promise.reject(new DatabaseUnavailable('A standby is away'));
        return repeatConflicts(() => query(args)).catch((error: unknown) => {
          throw portError(error);
        });
      },
    },
  });
  // The extension changes only errors, so the client keeps its type.
  return translating as unknown as PrismaClient;
};

export interface DatabaseOptions {
  /** postgresql://... ; `?host=/path` names a Unix socket's directory. */
  readonly url: string;
  /** The application_name of the connections, unless the URL sets it; `tenon` by default. */
  readonly name?: string;
  readonly connections?: number;
  readonly pipelined?: boolean;
  /** The limit of each statement; 0 for none. The server's setting by default. */
  readonly statementTimeoutMs?: number | undefined;
  /** False leaves the database as it is: it begins no epoch, which writes a row and waits for the standby. */
  readonly beginsEpoch?: boolean;
  readonly onIdleError?: (error: Error) => void;
}

/**
 * Returns the same connections without their statement timeout, for imports, the admin API and
 * background work.
 */
export const withoutStatementTimeout = (database: Database): Database => {
  const unlimited = { statementTimeoutMs: 0 };
  return {
    ...database,
    rows: (statement, ...given) => database.transaction((sql) => sql.rows(statement, ...given), unlimited),
    execute: (statement, ...given) => database.transaction((sql) => sql.execute(statement, ...given), unlimited),
    transaction: (work, options) => database.transaction(work, { ...unlimited, ...options }),
  };
};

const ACQUIRE_MS = 10_000;
/**
 * For a new connection, and again for its settings. Short, since one that was begun to a server that
 * is gone keeps the next from another server.
 */
const CONNECT_MS = 3_000;
/** For the question about silent connections. */
const ASK_ANSWER_MS = 2_000;
/** The shared connection proves that it is alive while it is idle. */
const BEAT_MS = 2_000;

/** Opens one pool for Prisma and for the hand-written SQL. The first statement connects. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const {
    url,
    name = 'tenon',
    connections = 20,
    pipelined = false,
    statementTimeoutMs,
    beginsEpoch = true,
    onIdleError,
  } = options;
  // Shared, since what one connection finds out about the server concerns the others.
  const watch = new Watch({ limit: statementLimit(statementTimeoutMs), ask: askOver(url, ASK_ANSWER_MS) });
  const config = {
    connectionString: url,
    fallback_application_name: name,
    connectMs: CONNECT_MS,
    watch,
    // A firewall may drop a connection that is idle for long, without a word to either side.
    keepAlive: true,
    // Statements are sent without waiting for the answers to those before.
    pipeline: true,
  };
  const epochs = new (beginsEpoch ? Epochs : NoEpochs)(async () => {
    // The server may take any time for it, as long as it says that it works on it.
    const patient = new Watch({ limit: statementLimit(0), ask: askOver(url, ASK_ANSWER_MS) });
    const client = new WatchedClient({ ...config, pipeline: false, watch: patient });
    try {
      await client.connect();
      return await beginEpoch(client);
    } finally {
      client.end().catch(() => undefined);
    }
  });
  const pool = openWatchedPool({
    ...config,
    connectionTimeoutMillis: ACQUIRE_MS,
    max: pipelined ? connections - 1 : connections,
    // A new connection must plan its statements again.
    idleTimeoutMillis: 60_000,
    verify: verifySession(statementTimeoutMs, epochs),
  });
  const pipeline = pipelined
    ? new Pipeline({
        config: { ...config, beatMs: BEAT_MS },
        prepare: async (client) => {
          await applySettings(client, statementTimeoutMs);
          await epochs.meet(client);
          await client.query(LOOKS_UP_BY_KEY);
        },
        alone: runOn(pool),
        onError: (error) => onIdleError?.(error),
      })
    : null;
  pool.on('error', (error) => onIdleError?.(error));
  let prisma: PrismaClient | undefined;
  const sql = poolSql(pool, watch);
  return {
    ...sql,
    pipeline: pipeline?.sql ?? sql,
    pool,
    prisma: () => (prisma ??= prismaOn(pool, watch)),
    poolFigures: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    isStalled: () => watch.isStalled,
    spreadsStores: citusAt(pool),
    transaction: (work, transactionOptions) => inTransaction(pool, work, transactionOptions),
    close: async () => {
      await pipeline?.end();
      await prisma?.$disconnect();
      await pool.end();
    },
  };
};
