/**
 * Who does what is asked for. Both must bear being called with nothing to do, and again: the rows are the truth, a call only says to look.
 * What throws is called again a little later.
 */
export interface DeliveryWork {
  /** Fans out the store's events that wait for it. */
  fanOut(storeId: string): Promise<void>;
  /** Sends the subscription's deliveries that are due. */
  deliver(subscriptionId: string): Promise<void>;
}

/** Schedules coarse work; loses nothing that matters when it is emptied, since a sweep asks again from the rows. */
export interface DeliveryQueue {
  /** Asks for the fan-out of a store's events. Asked many times before it begins it runs once; asked while it runs it runs once more afterwards, never twice at once. */
  fanOut(storeId: string): Promise<void>;
  /** Asks for the subscriptions' due deliveries to be sent. Asked many times before it begins it runs once; asked while it runs it runs once more afterwards, never twice at once. An empty list asks for nothing. */
  wake(subscriptionIds: readonly string[]): Promise<void>;
  /** Asks for it so many seconds from now. A later call for the same subscription replaces the time. It holds up no `wake` in the meantime. */
  wakeLater(subscriptionId: string, seconds: number): Promise<void>;
  /** Starts to do, on this node, what any node asked for. Work that throws is tried again. */
  work(handlers: DeliveryWork): void;
  /** Work that waits to begin, delayed work not counted. */
  depth(): Promise<number>;
  /** Whether it can be reached now. */
  reachable(): Promise<boolean>;
  /** Takes no more work, lets what runs end, and closes. */
  close(): Promise<void>;
}
