/** Cuts a stream whose reader may have no more of it. Nothing failed, so it is not logged as a failure. */
export class AccessEnded extends Error {
  override readonly name = 'AccessEnded';
}
