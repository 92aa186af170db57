import pg from 'pg';

import { DatabaseUnavailable, OutcomeUnknown } from '../../../domain/ports/transaction.ts';
import { storeKey, type StoreKey } from '../../../domain/store-key.ts';
import { watched } from '../../postgres/watched-pool.ts';
import { answerTo } from './commit.ts';
import { HOLD_SHARD } from './citus/hold-shard.ts';
import { repeatConflicts } from './conflict.ts';
import { run, submit, type StatementResult, type BoundStatement } from './prepared-query.ts';
import { asError, sqlOver, type TransactionSql } from './sql.ts';
import type { Arguments, Statement } from './statement.ts';
import { beginning, type TransactionOptions } from './transaction-options.ts';
import { waitsForStandby } from './synchronous-commit.ts';
import { portError } from './unavailable.ts';

/** Transactions whose commit waits for a standby that is away hold their locks for as long. */
const STALLED = "; SET LOCAL lock_timeout = '250ms'";

const isAborted = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '25P02';

const HAS_WRITTEN = `
  SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS written, current_setting('synchronous_commit') AS "synchronousCommit"`;

interface OpenTransaction {
  readonly sql: TransactionSql;
  /**
   * The error of the first statement that failed, also where the work has caught it. Later ones only
   * say that the transaction is aborted.
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
  /** Error of the first enqueued statement that failed. */
  let failure: Error | undefined;
  /** Error of the first awaited statement that failed, while nothing has undone it. */
  let awaited: Error | undefined;
  let ahead: Promise<unknown> = Promise.resolve();
  let begun = false;
  const { watch, backend } = watched(client);
  const hasCitus = backend?.hasCitus === true;
  const held = new Set<StoreKey>();
  const onEnd = (error: unknown): void => {
    if (error) failure ??= asError(error);
  };
  const failed = (): Error | undefined => failure ?? awaited;
  // Corks the socket of node-postgres: a bulk update of one product costs 2.0 ms of processor time
  // in place of 2.8, because enqueued messages leave together. Without these three lines each
  // message leaves alone, and all is still right.
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
    client.query(`${beginning(options, hasCitus)}${watch.isStalled ? STALLED : ''}`, onEnd);
  };
  const beginFor = ({ storeId }: BoundStatement): void => {
    begin();
    if (!hasCitus || storeId === null || held.has(storeKey(storeId))) return;
    held.add(storeKey(storeId));
    holdBack();
    submit(client, HOLD_SHARD.bind({ storeId }), onEnd);
  };
  const runNext = async (bound: BoundStatement): Promise<StatementResult> => {
    beginFor(bound);
    try {
      return await run(client, bound);
    } catch (error) {
      // Only what was sent before it has a reason to give: what was sent behind it may have failed by now as well.
      const reason = (isAborted(error) ? failure : undefined) ?? error;
      awaited ??= asError(reason);
      throw reason;
    }
  };
  const enqueue = (bound: BoundStatement, onAnswer?: (answer: StatementResult) => void): void => {
    beginFor(bound);
    holdBack();
    submit(client, bound, (error, answer) => {
      onEnd(error);
      if (!error) onAnswer?.(answer);
    });
  };
  if (options.beforehand) {
    holdBack();
    ahead = run(client, options.beforehand).catch(onEnd);
  }
  return {
    sql: {
      ...sqlOver(runNext),
      enqueue: (statement, ...[given]) => {
        enqueue(statement.bind(given));
      },
      enqueueUndo: (statement) => {
        awaited = undefined;
        enqueue(statement.bind());
      },
      enqueueRows: <P extends object, Row extends object>(statement: Statement<P, Row>, ...[given]: Arguments<P>) => {
        let rows: unknown[] = [];
        enqueue(statement.bind(given), (answer) => (rows = answer.rows));
        return () => rows as Row[];
      },
    },
    failure: failed,
    check: async () => {
      await ahead;
      const error = failed();
      if (error !== undefined) throw error;
    },
    refuseStalled: async () => {
      if (!begun || !watched(client).watch.isStalled) return;
      const { rows } = await client
        .query<{ written: boolean; synchronousCommit: string }>(HAS_WRITTEN)
        .catch((error: unknown) => {
          throw failed() ?? error;
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
