/** One subscription's deliveries, held by one worker of all nodes. */
export interface DeliveryHold {
  /** Aborted when the subscription must stop at once (deleted, uninstalled, suspended), or the hold was lost. */
  readonly signal: AbortSignal;
  /** Whether an attempt may begin now. False once the hold is lost, also when this process was stopped for a while and could not tell. */
  mayBegin(): Promise<boolean>;
  /** Ends the hold: to be called once no attempt is in flight and all that ended is settled. */
  release(): Promise<void>;
}

/**
 * Which worker may send a subscription's deliveries. A hold ends with its process, whatever becomes of it. Whoever removes or suspends a
 * subscription closes the gate for new holds, tells the holder to stop, and waits until it has; one that doesn't answer loses its hold.
 */
export interface DeliveryFence {
  /** Takes the subscription for this worker alone. Null when another worker has it, it is being stopped, or it is gone. */
  hold(subscriptionId: string): Promise<DeliveryHold | null>;
  /** Ends every hold of this process. */
  close(): Promise<void>;
}
