/** A failure of the start that the operator can mend: its message is one clear line. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
