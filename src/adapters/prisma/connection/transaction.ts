import pg from 'pg';

import { OutcomeUnknown } from '../../../domain/ports/transaction.ts';
import { asError, prepared } from './sql.ts';
import type { TransactionSql } from './sql.ts';
import { portError } from './unavailable.ts';

export interface TransactionOptions {
  /** For each statement of this transaction, in place of its connection's; 0 for no limit. */
  readonly statementTimeoutMs?: number;
}

/** A transaction's statements, of which those that were sent are not waited for one by one. */
class Flight implements TransactionSql {
  /** Of the first that was sent and failed: all after it only say that the transaction is aborted. */
  failure: Error | undefined;

  constructor(
    private readonly client: pg.PoolClient,
    { statementTimeoutMs }: TransactionOptions,
  ) {
    // One message, so that the setting costs no round trip.
    this.dispatch(
      statementTimeoutMs === undefined ? 'BEGIN' : `BEGIN; SET LOCAL statement_timeout = ${String(statementTimeoutMs)}`,
    );
  }

  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.client.query<Row>(prepared(text, values))).rows;
    } catch (error) {
      throw this.failure ?? error;
    }
  }

  send(text: string, values?: readonly unknown[]): Promise<void> {
    this.dispatch(prepared(text, values));
    return Promise.resolve();
  }

  private dispatch(query: string | pg.QueryConfig): void {
    const { stream } = this.client.connection;
    stream.cork();
    process.nextTick(() => {
      stream.uncork();
    });
    this.client.query(query).catch((error: unknown) => {
      this.failure ??= asError(error);
    });
  }
}

/** PostgreSQL said so itself; anything else that fails a COMMIT (a cut connection) leaves its outcome unknown. */
const isServerError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !error.code.startsWith('57P') && !error.code.startsWith('08');

/** Runs the work in a transaction of its own. Throws OutcomeUnknown where the answer to COMMIT was lost. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  work: (sql: TransactionSql) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw portError(error);
  });
  let broken: Error | undefined;
  // A connection that dies between two statements says so by an event; unheard it would end the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    const flight = new Flight(client, options);
    const value = await work(flight);
    try {
      await client.query('COMMIT');
    } catch (error) {
      if (isServerError(error)) throw error;
      broken = asError(error);
      throw new OutcomeUnknown('the answer to COMMIT was lost', { cause: error });
    }
    // The COMMIT of an aborted transaction is answered as if all were well.
    if (flight.failure !== undefined) throw flight.failure;
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
