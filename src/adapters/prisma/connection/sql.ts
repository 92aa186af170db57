import type { Answer, BoundStatement } from './prepared-query.ts';
import type { Arguments, Statement } from './statement.ts';

/**
 * Runs declared statements: on any connection of the pool, on the pipeline, or in one transaction.
 */
export interface Sql {
  /** Runs the statement and gives its rows. */
  rows<P extends object, Row extends object>(statement: Statement<P, Row>, ...given: Arguments<NoInfer<P>>): Promise<Row[]>;
  /** Runs the statement and gives the number of rows that it found or changed. */
  execute<P extends object>(statement: Statement<P, object>, ...given: Arguments<NoInfer<P>>): Promise<number>;
}

/** The connection of one transaction. */
export interface TransactionSql extends Sql {
  /**
   * Sends the statement and does not wait for its answer. What follows in the same turn of the
   * event loop, the COMMIT included, leaves in the same write. PostgreSQL carries statements out in
   * the order in which they were sent. One that fails ends the transaction, which throws its error.
   */
  enqueue<P extends object>(statement: Statement<P, object>, ...given: Arguments<NoInfer<P>>): void;
  /**
   * Sends the statement before BEGIN, in the same write. PostgreSQL commits it by itself, and a
   * failure of the transaction does not undo it. Where it fails, the transaction does. Throws when
   * the transaction has had a statement.
   */
  beforehand<P extends object>(statement: Statement<P, object>, ...given: Arguments<NoInfer<P>>): void;
  /**
   * Says that all statements of the transaction look their rows up by keys: each is planned once,
   * for any parameters and any number of them, and never as the scan of a whole table. To plan the
   * bulk update of one product for its parameters takes longer than to carry it out. Throws when the
   * transaction has had a statement.
   */
  lookUpByKeys(): void;
}

/** Sql over a function that runs one statement. */
export const sqlOver = (run: (bound: BoundStatement) => Promise<Answer>): Sql => ({
  // The declaration of a statement says what its rows are, and a test compares it with the schema.
  rows: async <P extends object, Row extends object>(statement: Statement<P, Row>, ...[given]: Arguments<P>) =>
    (await run(statement.bind(given))).rows as Row[],
  execute: async (statement, ...[given]) => (await run(statement.bind(given))).rowCount ?? 0,
});

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
