import type pg from 'pg';

import { DatabaseUnavailable, OutcomeUnknown } from '../../../domain/ports/transaction.ts';
import { watched } from '../../postgres/watched-pool.ts';
import { answerTo } from './commit.ts';
import { repeatConflicts } from './conflict.ts';
import { run, submit, type Answer, type BoundStatement } from './prepared-query.ts';
import { asError, sqlOver, type TransactionSql } from './sql.ts';
import { waitsForStandby } from './synchronous-commit.ts';
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
  /** All of its statements see the database as it was at the first of them. */
  readonly snapshot?: boolean;
  /**
   * Keeps the transaction while its process does other work between two statements, or is paused.
   * The keepalives find a machine that is gone in half a minute.
   */
  readonly mayIdle?: boolean;
  /**
   * The work has effects outside of the database. It does not run again after a conflict with
   * another transaction.
   */
  readonly isUnrepeatable?: boolean;
  /**
   * Sent before BEGIN, in the same write. PostgreSQL commits it by itself, and a failure of the
   * transaction does not undo it. Where it fails, the transaction does.
   */
  readonly beforehand?: BoundStatement;
  /**
   * All statements of the transaction look their rows up by keys: each is planned once, for any
   * parameters and any number of them, and never as the scan of a whole table. To plan the bulk
   * update of one product for its parameters takes longer than to carry it out.
   */
  readonly looksUpByKeys?: boolean;
}

const MAY_IDLE =
  '; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL tcp_keepalives_idle = 15' +
  '; SET LOCAL tcp_keepalives_interval = 5; SET LOCAL tcp_keepalives_count = 3';

const NO_SCANS = '; SET LOCAL enable_seqscan = off';
const BY_KEYS = `; SET LOCAL plan_cache_mode = force_generic_plan${NO_SCANS}`;

/** Those whose commit waits for a standby that is away hold their locks for as long. */
const STALLED = "; SET LOCAL lock_timeout = '250ms'";

const HAS_WRITTEN = `
  SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS written, current_setting('synchronous_commit') AS "synchronousCommit"`;

/** One message, so that the settings cost no round trip. */
const beginning = (options: TransactionOptions, hasCitus: boolean): string => {
  const { statementTimeoutMs, planEachTime = false, looksUpByKeys = false, snapshot = false, mayIdle = false } = options;
  const timeout = statementTimeoutMs === undefined ? '' : `; SET LOCAL statement_timeout = ${String(statementTimeoutMs)}`;
  const plans = planEachTime ? '; SET LOCAL plan_cache_mode = force_custom_plan' : '';
  const idle = mayIdle ? MAY_IDLE : '';
  // A plan of Citus is for the node of one store.
  const byKeys = hasCitus ? NO_SCANS : BY_KEYS;
  return `BEGIN${snapshot ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : ''}${timeout}${plans}${idle}${looksUpByKeys ? byKeys : ''}`;
};

interface OpenTransaction {
  readonly sql: TransactionSql;
  /**
   * The error of the first enqueued statement that failed. Those after it only say that the
   * transaction is aborted.
   */
  readonly failure: () => Error | undefined;
  /** Waits for the statements before BEGIN, and throws what has failed: PostgreSQL would commit without them. */
  readonly check: () => Promise<void>;
  /** Throws DatabaseUnavailable where the commit would wait for a standby that is away. Nothing is committed then. */
  readonly refuseStalled: () => Promise<void>;
  /** Ends it; rejects where PostgreSQL does not answer or refuses. */
  readonly commit: () => Promise<void>;
}

const open = (client: pg.PoolClient, options: TransactionOptions): OpenTransaction => {
  let failure: Error | undefined;
  let ahead: Promise<unknown> = Promise.resolve();
  let begun = false;
  const onEnd = (error: unknown): void => {
    if (error) failure ??= asError(error);
  };
  // Of node-postgres, the socket: a bulk update of one product costs 2.0 ms of processor time in place of 2.8, because
  // what is enqueued leaves together. Without these three lines each message leaves alone, and all is still right.
  const holdBack = (): void => {
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => {
      stream.uncork();
    });
  };
  const begin = (): void => {
    if (begun) return;
    begun = true;
    holdBack();
    const { watch, backend } = watched(client);
    client.query(`${beginning(options, backend?.hasCitus === true)}${watch.isStalled ? STALLED : ''}`, onEnd);
  };
  const runNext = async (bound: BoundStatement): Promise<Answer> => {
    begin();
    try {
      return await run(client, bound);
    } catch (error) {
      throw failure ?? error;
    }
  };
  if (options.beforehand) {
    holdBack();
    ahead = run(client, options.beforehand).catch(onEnd);
  }
  return {
    sql: {
      ...sqlOver(runNext),
      enqueue: (statement, ...[given]) => {
        begin();
        holdBack();
        submit(client, statement.bind(given), onEnd);
      },
    },
    failure: () => failure,
    check: async () => {
      await ahead;
      if (failure !== undefined) throw failure;
    },
    refuseStalled: async () => {
      if (!begun || !watched(client).watch.isStalled) return;
      const { rows } = await client
        .query<{ written: boolean; synchronousCommit: string }>(HAS_WRITTEN)
        .catch((error: unknown) => {
          throw failure ?? error;
        });
      if (rows[0]?.written === true && waitsForStandby(rows[0].synchronousCommit))
        throw new DatabaseUnavailable('The commit would wait for a standby that is away');
    },
    commit: async () => {
      begin();
      watched(client).isCommitting = true;
      await client.query('COMMIT').finally(() => {
        watched(client).isCommitting = false;
      });
    },
  };
};

type Work<T> = (sql: TransactionSql) => Promise<T>;

const runOnce = async <T>(pool: pg.Pool, work: Work<T>, options: TransactionOptions): Promise<T> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw portError(error);
  });
  let broken: Error | undefined;
  // A connection that dies between two statements reports it by an event. Without a listener it would end the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  watched(client).expect(options.statementTimeoutMs);
  try {
    const transaction = open(client, options);
    const value = await work(transaction.sql);
    await transaction.check();
    await transaction.refuseStalled();
    await answerTo(transaction.commit());
    // PostgreSQL answers the COMMIT of an aborted transaction without an error.
    const failure = transaction.failure();
    if (failure !== undefined) throw failure;
    return value;
  } catch (error) {
    if (error instanceof OutcomeUnknown) broken = error;
    if (broken === undefined) {
      await client.query('ROLLBACK').catch((failure: unknown) => {
        broken = asError(failure);
      });
    }
    throw portError(error);
  } finally {
    client.off('error', onError);
    watched(client).expect();
    client.release(broken);
  }
};

/**
 * Runs the work in one transaction, and again in a new one when PostgreSQL preferred another
 * transaction (conflict.ts). Throws OutcomeUnknown where the answer to COMMIT was lost: that never
 * runs again.
 */
export const inTransaction = <T>(pool: pg.Pool, work: Work<T>, options: TransactionOptions = {}): Promise<T> => {
  const repeats = options.isUnrepeatable === true ? 0 : undefined;
  return repeatConflicts(() => runOnce(pool, work, options), repeats);
};
