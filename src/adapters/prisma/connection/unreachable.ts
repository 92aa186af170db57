import { StartFailure } from '../../wiring/start-failure.ts';

/**
 * Why the first connection can't be opened. The operator fixes what fails here (address, password,
 * name). pg's messages hold no password.
 */
export const unreachable = (error: unknown): StartFailure => {
  // Several addresses that all fail (localhost on ::1 and 127.0.0.1) give an error with an empty message and a code.
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: '' };
  return new StartFailure(
    `DATABASE_URL: The database can't be reached: ${message.split('\n', 1)[0] || code || 'no reason given'}`,
    { cause: error },
  );
};
