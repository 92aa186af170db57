/**
 * The work that one worker of all nodes does alone: a subscription's deliveries, or an
 * installation's imports. A lease on it has no time-out: it ends when it is released, when its
 * process ends, or when it is taken away. A request that removes or suspends something is a stop.
 */
export type LeasedWork = 'deliveries' | 'imports';

/** The subscription or the installation, in its store. */
export interface Leasable {
  readonly storeId: string;
  readonly id: string;
}

export interface Lease {
  /** Aborted when the work must stop, or when the lease is lost. */
  readonly signal: AbortSignal;
  /** Returns whether an attempt or a fetch may begin now. Returns false when the lease is lost. */
  mayBegin(): boolean | Promise<boolean>;
  /** Ends the lease, so that another worker can acquire it. Does nothing when it is repeated. */
  release(): Promise<void>;
}

/**
 * A stop has the leaseholder stop, and waits for it. A stop does not affect other subscriptions and
 * apps. A stop of an app stops its deliveries and its imports. A stop of a subscription does not
 * stop the imports of its app. A leaseholder that does not answer loses its lease.
 */
export interface WorkLeases {
  /**
   * Takes the work for this worker alone. Returns null when a worker has it already. Returns null
   * while it is being stopped. Returns null when the store does not have it.
   */
  acquire(work: LeasedWork, of: Leasable): Promise<Lease | null>;
  /** Ends every lease of this process. */
  close(): Promise<void>;
}
