/**
 * Something that Tenon needs cannot answer now. Neither the caller nor the code is at fault, and a
 * later attempt may succeed. The log has such errors without their stacks, and not each of them.
 */
export abstract class Unavailable extends Error {}

/** A connection that this process keeps open was lost, or could not be opened. */
export class ConnectionLost extends Unavailable {
  override readonly name = 'ConnectionLost';

  constructor(cause: unknown) {
    super('The connection was lost', { cause });
  }
}

/** The errors of code that is wrong. An outage does not cause them. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** The error and what caused it, the cause last. */
const chain = (error: unknown): Error[] => (error instanceof Error ? [error, ...chain(error.cause)] : []);

/** Distinguishes an outage from a bug. */
export const isOutage = (error: unknown): boolean => {
  const errors = chain(error);
  return errors.some((one) => one instanceof Unavailable) && !errors.some((one) => BUGS.some((bug) => one instanceof bug));
};
