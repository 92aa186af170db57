import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';

import { PrismaClient } from '../../../generated/prisma/client.ts';
import { Pipeline } from './pipeline.ts';
import { asError, prepared } from './sql.ts';
import type { Sql, TransactionSql } from './sql.ts';
import { inTransaction } from './transaction.ts';
import type { TransactionOptions } from './transaction.ts';
import { portError } from './unavailable.ts';

export interface Database extends Sql {
  /**
   * Statements of all requests over one connection, where those of one turn of the event loop are one write: for the short ones of which
   * each request has one, since half of what they cost is the way there and back. One that waits for a lock would hold up all others. The
   * pool itself where no connection is kept for it.
   */
  readonly pipeline: Sql;
  /** Prisma's client over the same pool, for the plain reads and writes of single rows. */
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  transaction<T>(work: (sql: TransactionSql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

/**
 * Locks end with who took them. A process that was killed is noticed although its statement waits for a lock or computes: otherwise the
 * statement would be carried out to its end, and the locks of its transaction (an idempotency key's) held as long. Half a second, of the
 * two that a retry may wait. One that is stopped, or whose machine is gone, between two statements loses its transaction: otherwise a
 * fan-out's would hold up every removal of its store until it goes on. Ten seconds, longer than a transaction's own work between two.
 */
const SESSION = ['SET client_connection_check_interval = 500', 'SET idle_in_transaction_session_timeout = 10000'];

/** Not every system can (the server then refuses all but 0), nor PostgreSQL before 14 or every pooler before one: the connection is as good. */
const prepare = async (client: pg.ClientBase, statementTimeoutMs: number | undefined): Promise<void> => {
  const timeout = statementTimeoutMs === undefined ? [] : [`SET statement_timeout = ${String(statementTimeoutMs)}`];
  for (const setting of [...SESSION, ...timeout]) {
    await client.query(setting).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
    });
  }
};

const verify =
  (statementTimeoutMs: number | undefined) =>
  (client: pg.PoolClient, done: (error?: Error) => void): void => {
    // As in a transaction: a connection that dies now says so by an event as well.
    const onError = (): void => undefined;
    client.on('error', onError);
    const end = (error?: Error): void => {
      client.off('error', onError);
      done(error);
    };
    prepare(client, statementTimeoutMs).then(
      () => {
        end();
      },
      (error: unknown) => {
        end(asError(error));
      },
    );
  };

const sqlOn = (client: pg.Pool | pg.PoolClient): Sql => ({
  query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
    try {
      return (await client.query<Row>(prepared(text, values))).rows;
    } catch (error) {
      throw portError(error);
    }
  },
});

/** Prisma's client, whose outages are DatabaseUnavailable like those of every other statement. */
const prismaOn = (pool: pg.Pool): PrismaClient => {
  const client = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: { maxWait: 10_000, timeout: 60_000 } });
  const telling = client.$extends({
    query: {
      $allOperations: ({ args, query }) =>
        query(args).catch((error: unknown) => {
          throw portError(error);
        }),
    },
  });
  // The extension changes errors alone, so the client keeps its type.
  return telling as unknown as PrismaClient;
};

export interface DatabaseOptions {
  /** postgresql://... ; `?host=/path` names a Unix socket's directory. */
  readonly url: string;
  /** What PostgreSQL shows them as, where the URL has no application_name; `tenon` unless told. */
  readonly name?: string;
  /** Connections at most; 20 unless told. */
  readonly connections?: number;
  /** Whether one of them, of two at least, is kept for `pipeline`. */
  readonly pipelined?: boolean;
  /** Set once for each connection; 0 for no limit. The server's own setting by default. */
  readonly statementTimeoutMs?: number | undefined;
  /** Told of every idle connection that broke: the pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** The same connections without the statement timeout of `query` and `transaction`: for imports, the admin API and background work. */
export const withoutStatementTimeout = (database: Database): Database => {
  const unlimited = { statementTimeoutMs: 0 };
  return {
    ...database,
    query: (text, values) => database.transaction((sql) => sql.query(text, values), unlimited),
    transaction: (work, options) => database.transaction(work, { ...unlimited, ...options }),
  };
};

/** Opens one pool that Prisma and the hand-written SQL share. Nothing is connected before the first statement. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const { url, name = 'tenon', connections = 20, pipelined = false, statementTimeoutMs, onIdleError } = options;
  const config = {
    connectionString: url,
    fallback_application_name: name,
    connectionTimeoutMillis: 10_000,
    // A firewall forgets a connection that is idle for long, and says nothing.
    keepAlive: true,
    // Statements are sent without waiting for the answers to those before.
    pipeline: true,
  };
  const pool = new pg.Pool({
    ...config,
    max: pipelined ? connections - 1 : connections,
    // Each new one must plan its statements anew.
    idleTimeoutMillis: 60_000,
    verify: verify(statementTimeoutMs),
  });
  const pipeline = pipelined
    ? new Pipeline(
        config,
        (client) => prepare(client, statementTimeoutMs),
        (error) => onIdleError?.(error),
      )
    : null;
  pool.on('error', (error) => onIdleError?.(error));
  // Between the pool's handing out and its user's first turn nobody listens, and an error that is not heard ends the process. What is asked
  // of such a connection next is refused with it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const prisma = prismaOn(pool);
  const sql = sqlOn(pool);
  return {
    ...sql,
    pipeline: pipeline ?? sql,
    pool,
    prisma,
    transaction: (work, transactionOptions) => inTransaction(pool, work, transactionOptions),
    close: async () => {
      await pipeline?.end();
      await prisma.$disconnect();
      await pool.end();
    },
  };
};
