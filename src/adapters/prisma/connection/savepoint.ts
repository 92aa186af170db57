import pg from 'pg';

import { asError, type TransactionSql } from './sql.ts';
import { statement } from './statement.ts';

const SAVEPOINT = statement({ text: 'SAVEPOINT work' });
const RELEASE = statement({ text: 'RELEASE SAVEPOINT work' });
const ROLLBACK = statement({ text: 'ROLLBACK TO SAVEPOINT work' });

/** PostgreSQL's message about a value or a constraint that refused a row. */
export interface RefusedRow {
  readonly message: string;
  readonly isDuplicate: boolean;
  readonly detail: string;
}

const UNIQUE_VIOLATION = '23505';

export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;

/** Null for an outage or a bug. Classes 22 and 23 are about values and constraints. */
const refusedRow = (error: unknown): RefusedRow | null => {
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) return null;
  return { message: error.message, isDuplicate: isUniqueViolation(error), detail: error.detail ?? error.table ?? '' };
};

/**
 * Runs the work. When PostgreSQL refuses a row, what the work did is undone, and the transaction
 * continues without it. The work enqueues no statement, and rejects with the error of the first that fails. The transaction has named the
 * store before it: on a Citus cluster, a shard that is held inside the work would be free once that is undone.
 */
export const attempt = async <T>(
  sql: TransactionSql,
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly refused: RefusedRow }> => {
  sql.enqueue(SAVEPOINT);
  try {
    const value = await work();
    sql.enqueue(RELEASE);
    return { value };
  } catch (error) {
    const refused = refusedRow(error);
    if (refused === null) throw error;
    sql.enqueueUndo(ROLLBACK);
    return { refused };
  }
};

/**
 * Waits for statements that were sent together. Rejects with the error of the first that failed:
 * those after it only say that the transaction is aborted.
 */
export const inOrder = async (sent: readonly Promise<unknown>[]): Promise<void> => {
  for (const answer of await Promise.allSettled(sent)) if (answer.status === 'rejected') throw asError(answer.reason);
};
