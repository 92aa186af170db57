import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { retry } from '../../../domain/retry.ts';
import { pause } from '../../startup/deadline.ts';
import { hasCode } from './unavailable.ts';

/**
 * PostgreSQL ended a transaction in favour of another one: serialization_failure, deadlock_detected.
 * P2034 is what Prisma makes of both.
 */
const CONFLICT = /^(40001|40P01|P2034)$/;

/** Limit of repeats for a transaction that was ended. */
const MAX_REPEATS = 3;

/** The longest pause before the first repetition; it doubles with each. */
const PAUSE_MS = 20;

/** Random, so that two that ended each other do not meet again. */
const pauseBefore = (repeat: number): Promise<void> => pause(Math.random() * PAUSE_MS * 2 ** (repeat - 1));

const mayPass = (error: unknown): boolean => error instanceof Error && hasCode(error, CONFLICT);

/**
 * Runs a statement or a whole transaction, and runs it again while it conflicts with other
 * transactions. PostgreSQL has undone what it did. Throws DatabaseUnavailable when the last
 * repetition conflicts too.
 */
export const repeatConflicts = async <T>(run: () => Promise<T>, repeats = MAX_REPEATS): Promise<T> => {
  try {
    return await retry(run, { tries: repeats + 1, pause: pauseBefore, mayPass });
  } catch (error) {
    throw mayPass(error) ? new DatabaseUnavailable('Conflicts with other transactions', { cause: error }) : error;
  }
};
