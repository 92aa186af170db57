import { reasonOf, StartFailure } from './start-failure.ts';

/**
 * Says why the first connection can't be opened. The operator fixes what fails here (address,
 * password, name). pg's messages hold no password.
 */
export const unreachable = (error: unknown): StartFailure =>
  new StartFailure(`DATABASE_URL: The database cannot be reached: ${reasonOf(error)}`, { cause: error });
