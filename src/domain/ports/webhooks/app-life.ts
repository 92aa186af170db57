export interface AppLife {
  /**
   * Records the events of what installations of platform apps have become since the last time, in at most `limit` stores.
   * Returns the stores that have some. With the id of an app, looks at its installations alone. Records each change once, also
   * when two do it at the same time. Leaves out installations that have ended.
   */
  record(limit: number, platformAppId?: string): Promise<readonly string[]>;
}
