import pg from 'pg';

import { OutcomeUnknown } from '../../../domain/ports/transaction.ts';
import { asError, sqlOver } from './sql.ts';
import type { TransactionSql } from './sql.ts';
import { portError } from './unavailable.ts';

export interface TransactionOptions {
  /**
   * Milliseconds for each statement of this transaction, in place of its connection's setting; 0
   * for no limit.
   */
  readonly statementTimeoutMs?: number;
  /**
   * Plans each statement for its parameters. By default PostgreSQL may reuse a plan that it made
   * for any.
   */
  readonly planEachTime?: boolean;
  /**
   * Keeps the transaction while its process does other work between two statements, or is paused.
   * The keepalives find a machine that is gone in half a minute.
   */
  readonly mayIdle?: boolean;
}

const MAY_IDLE =
  '; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL tcp_keepalives_idle = 15' +
  '; SET LOCAL tcp_keepalives_interval = 5; SET LOCAL tcp_keepalives_count = 3';

/** One message, so that the settings cost no round trip. */
const beginning = ({ statementTimeoutMs, planEachTime = false, mayIdle = false }: TransactionOptions): string => {
  const timeout = statementTimeoutMs === undefined ? '' : `; SET LOCAL statement_timeout = ${String(statementTimeoutMs)}`;
  const plans = planEachTime ? '; SET LOCAL plan_cache_mode = force_custom_plan' : '';
  return `BEGIN${timeout}${plans}${mayIdle ? MAY_IDLE : ''}`;
};

interface OpenTransaction {
  readonly sql: TransactionSql;
  /**
   * The error of the first enqueued statement that failed. Those after it only say that the
   * transaction is aborted.
   */
  readonly failure: () => Error | undefined;
}

const begin = (client: pg.PoolClient, options: TransactionOptions): OpenTransaction => {
  let failure: Error | undefined;
  const enqueue = (query: string | pg.QueryConfig): void => {
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => {
      stream.uncork();
    });
    client.query(query).catch((error: unknown) => {
      failure ??= asError(error);
    });
  };
  const run = async (query: pg.QueryConfig): Promise<pg.QueryResult> => {
    try {
      return await client.query(query);
    } catch (error) {
      throw failure ?? error;
    }
  };
  enqueue(beginning(options));
  return {
    sql: {
      ...sqlOver(run),
      enqueue: (statement, ...[given]) => {
        enqueue(statement.bind(given));
      },
    },
    failure: () => failure,
  };
};

/**
 * PostgreSQL refused it. After any other failure of a COMMIT, such as a cut connection, its outcome
 * is unknown.
 */
const isServerError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !error.code.startsWith('57P') && !error.code.startsWith('08');

/** Runs the work in one transaction. Throws OutcomeUnknown where the answer to COMMIT was lost. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  work: (sql: TransactionSql) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw portError(error);
  });
  let broken: Error | undefined;
  // A connection that dies between two statements reports it by an event. Without a listener it would end the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    const transaction = begin(client, options);
    const value = await work(transaction.sql);
    try {
      await client.query('COMMIT');
    } catch (error) {
      if (isServerError(error)) throw error;
      broken = asError(error);
      throw new OutcomeUnknown('The answer to COMMIT was lost', { cause: error });
    }
    // PostgreSQL answers the COMMIT of an aborted transaction without an error.
    const failure = transaction.failure();
    if (failure !== undefined) throw failure;
    return value;
  } catch (error) {
    if (broken === undefined) {
      await client.query('ROLLBACK').catch((failure: unknown) => {
        broken = asError(failure);
      });
    }
    throw portError(error);
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
};
