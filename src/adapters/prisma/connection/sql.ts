import type { StatementResult, BoundStatement } from './prepared-query.ts';
import type { Arguments, Statement } from './statement.ts';

/**
 * Runs declared statements: on any connection of the pool, on the pipeline, or in one transaction.
 */
export interface Sql {
  rows<P extends object, Row extends object>(statement: Statement<P, Row>, ...given: Arguments<NoInfer<P>>): Promise<Row[]>;
  execute<P extends object>(statement: Statement<P, object>, ...given: Arguments<NoInfer<P>>): Promise<number>;
}

export interface TransactionSql extends Sql {
  /**
   * Sends the statement and does not wait for its answer. What follows in the same turn of the
   * event loop, the COMMIT included, leaves in the same write. PostgreSQL carries statements out in
   * the order in which they were sent. One that fails ends the transaction, which throws its error.
   */
  enqueue<P extends object>(statement: Statement<P, object>, ...given: Arguments<NoInfer<P>>): void;
  /** Sends what undoes the statement that failed last, so that the transaction may commit without it: a rollback to a savepoint. */
  enqueueUndo(statement: Statement<object, object>): void;
  /** Enqueues a statement whose rows the transaction itself does not need. Its result gives them when the transaction has ended. */
  enqueueRows<P extends object, Row extends object>(statement: Statement<P, Row>, ...given: Arguments<NoInfer<P>>): () => Row[];
}

export const sqlOver = (run: (bound: BoundStatement) => Promise<StatementResult>): Sql => ({
  // The declaration of a statement says what its rows are, and a test compares it with the schema.
  rows: async <P extends object, Row extends object>(statement: Statement<P, Row>, ...[given]: Arguments<P>) =>
    (await run(statement.bind(given))).rows as Row[],
  execute: async (statement, ...[given]) => (await run(statement.bind(given))).rowCount ?? 0,
});

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
