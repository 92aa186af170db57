/**
 * Why the service can't start, as one line for the person who started it: shown without a stack,
 * exit status 1.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
