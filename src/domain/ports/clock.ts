export interface Clock {
  /** Returns the time of this node in whole milliseconds since the epoch. Advances with time. */
  now(): number;
  /** Resolves after this many milliseconds. */
  pause(milliseconds: number): Promise<void>;
}
