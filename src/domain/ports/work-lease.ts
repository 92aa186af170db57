/** The work that one worker of all nodes does alone: a subscription's deliveries, or an installation's imports. */
export type LeasedWork = 'deliveries' | 'imports';

export interface Lease {
  /**
   * Aborted when the work must stop at once: its subscription is deleted, its app uninstalled or suspended, its store
   * inactive, or the lease is lost.
   */
  readonly signal: AbortSignal;
  /**
   * Whether an attempt or a fetch may begin now. False once the lease is lost, also when this process was paused and
   * could not notice. Answers at once, without a promise, where the lease was confirmed a moment ago.
   */
  mayBegin(): boolean | Promise<boolean>;
  /** Ends the lease. Call it once nothing is in flight and all that ended is settled. */
  release(): Promise<void>;
}

/**
 * Decides which worker may send a subscription's deliveries or fetch for an installation's imports. A lease has no
 * time-out: it ends when it is released, when its process ends, or when it is taken away. To remove or suspend something,
 * a request blocks new leases, has the current leaseholder stop, and waits for it. A leaseholder that does not answer
 * loses its lease.
 */
export interface WorkLeases {
  /**
   * Takes the work for this worker alone: the deliveries of a subscription or the imports of an installation. Null when a
   * worker has it already, when it is being stopped, or when it is gone.
   */
  acquire(work: LeasedWork, id: string): Promise<Lease | null>;
  /** Ends every lease of this process. */
  close(): Promise<void>;
}
