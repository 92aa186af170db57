/** What one worker of all nodes has for itself: a subscription's deliveries, or an installation's imports. */
export type Holdable = 'deliveries' | 'imports';

export interface WorkHold {
  /** Aborted when the work must stop at once (its subscription deleted, its app uninstalled or suspended, its store inactive), or the hold was lost. */
  readonly signal: AbortSignal;
  /** Whether an attempt or a fetch may begin now. False once the hold is lost, also when this process was stopped for a while and could not tell. At once where the hold was proven just now, as it mostly is. */
  mayBegin(): boolean | Promise<boolean>;
  /** Ends the hold: to be called once nothing is in flight and all that ended is settled. */
  release(): Promise<void>;
}

/**
 * Which worker may send a subscription's deliveries, or fetch for an installation's imports. A hold ends with its process, whatever becomes of it.
 * Whoever removes or suspends one closes the gate for new holds, tells the holder to stop, and waits until it has; one that doesn't answer loses its
 * hold.
 */
export interface WorkFence {
  /** Takes it for this worker alone: the deliveries of the subscription, unless told, or the imports of the installation. Null when another worker has it, it is being stopped, or it is gone. */
  hold(id: string, of?: Holdable): Promise<WorkHold | null>;
  /** Ends every hold of this process. */
  close(): Promise<void>;
}
