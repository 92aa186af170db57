export interface Ids {
  /** Returns a new UUID of version 7. Later ids sort after earlier ids. */
  next(): string;
  /**
   * Returns the UUID of version 5 (RFC 9562) of the name in the namespace, which is a UUID. The same
   * name always has the same id.
   */
  named(namespace: string, name: string): string;
}
