import pg from 'pg';

import { OutcomeUnknown } from '../../../domain/ports/transaction.ts';

/**
 * Errors at the end of the connection or the server (08, 57P), and internal errors (XX), such as
 * that of a coordinator of Citus whose worker has not answered its COMMIT.
 */
const TELLS_NOTHING = /^(?:08|57P|XX)/;

/**
 * PostgreSQL refused it. After any other failure of a COMMIT, such as a cut connection, its outcome
 * is unknown.
 */
const isServerError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !TELLS_NOTHING.test(error.code);

/** Waits for the answer to a COMMIT. Throws OutcomeUnknown where it was lost. */
export const answerTo = async (commit: Promise<unknown>): Promise<void> => {
  try {
    await commit;
  } catch (error) {
    if (isServerError(error)) throw error;
    throw new OutcomeUnknown('The answer to COMMIT was lost', { cause: error });
  }
};
