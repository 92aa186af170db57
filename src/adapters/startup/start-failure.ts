/** Reason why the service can't start, as one line for the person who started it: shown without a stack. */
export class StartFailure extends Error {
  override readonly name: string = 'StartFailure';
}

/** This version is older than the database allows. It has an exit status of its own. */
export class OutdatedVersion extends StartFailure {
  override readonly name = 'OutdatedVersion';
}

/** The store that an operator names does not exist. It has an exit status of its own, too. */
export class UnknownStore extends StartFailure {
  override readonly name = 'UnknownStore';
}

/**
 * Says in one line why a connection can't be made. Several addresses that all fail (localhost on
 * ::1 and 127.0.0.1) give an error with an empty message and a code.
 */
export const reasonOf = (error: unknown): string => {
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: '' };
  return message.split('\n', 1)[0] || code || 'no reason given';
};

/**
 * Says why the first connection can't be opened. The operator fixes what fails here (address,
 * password, name). pg's messages hold no password.
 */
export const unreachable = (error: unknown): StartFailure =>
  new StartFailure(`DATABASE_URL: The database cannot be reached: ${reasonOf(error)}`, { cause: error });
