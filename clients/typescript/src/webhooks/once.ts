/**
 * How each event is handled once: the mark that it was seen and the work of its handler commit in
 * one transaction of yours. When the handler throws, both are undone and the event comes again.
 */
export interface Once<Tx> {
  /** Runs the work in a transaction: commits when it resolves, and rolls back when it rejects. */
  readonly begin: (work: (tx: Tx) => Promise<void>) => Promise<unknown>;
  /**
   * Marks the event as seen, and says whether it was already. For example
   * `INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING`: seen before when no row is inserted.
   */
  readonly seen: (tx: Tx, id: string) => boolean | Promise<boolean>;
}
