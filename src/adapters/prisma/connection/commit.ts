import pg from 'pg';

import { OutcomeUnknown } from '../../../domain/ports/transaction.ts';

/**
 * PostgreSQL refused it. After any other failure of a COMMIT, such as a cut connection, its outcome
 * is unknown.
 */
const isServerError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !error.code.startsWith('57P') && !error.code.startsWith('08');

/** Waits for the answer to a COMMIT. Throws OutcomeUnknown where it was lost. */
export const answerTo = async (commit: Promise<unknown>): Promise<void> => {
  try {
    await commit;
  } catch (error) {
    if (isServerError(error)) throw error;
    throw new OutcomeUnknown('The answer to COMMIT was lost', { cause: error });
  }
};
