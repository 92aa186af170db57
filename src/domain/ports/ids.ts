export interface Ids {
  /** A new UUID, version 7: later ones sort after earlier ones. */
  next(): string;
}
