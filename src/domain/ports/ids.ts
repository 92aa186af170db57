export interface Ids {
  /** Returns a new UUID of version 7. Later ids sort after earlier ids. */
  next(): string;
}
