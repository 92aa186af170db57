export interface Clock {
  /** Milliseconds since the epoch, of this node. Rules that nodes must agree on use the database's clock instead. */
  now(): number;
  /** Resolves once so many milliseconds have passed. */
  pause(milliseconds: number): Promise<void>;
}
