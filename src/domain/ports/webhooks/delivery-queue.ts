import { Unavailable } from '../../unavailable.ts';
import type { SubscriptionKey } from '../../webhooks/subscription.ts';

/** The queue cannot be reached. The rows in the database have the work, and a sweep finds it. */
export class QueueUnavailable extends Unavailable {
  override readonly name = 'QueueUnavailable';

  constructor(cause: unknown) {
    super('The queue cannot be used', { cause });
  }
}

/**
 * Does the requested work. It may be called again, or with nothing to do: the rows in the database
 * say what there is to do. When it throws, it is called again later.
 */
export interface DeliveryWork {
  /** Fans out the store's waiting events. */
  fanOut(storeId: string): Promise<void>;
  /** Sends the subscription's due deliveries. */
  deliver(subscription: SubscriptionKey): Promise<void>;
}

export interface DeliveryQueue {
  /**
   * Requests the fan-out of the store's events. Several requests before the work starts make it run
   * once. A request while the work runs makes it run again afterwards, never twice at once.
   */
  fanOut(storeId: string): Promise<void>;
  /**
   * Requests that the due deliveries of each subscription are sent. Several requests before the
   * work starts make it run once. A request while the work runs makes it run again afterwards,
   * never twice at once. Does nothing for an empty list.
   */
  wake(subscriptions: readonly SubscriptionKey[]): Promise<void>;
  /**
   * Requests the same after this many seconds. A later call for the same subscription replaces the
   * time. Does not delay a `wake` in the meantime.
   */
  wakeLater(subscription: SubscriptionKey, seconds: number): Promise<void>;
  /** Starts to do on this node what any node requested. Tries work again that throws. */
  work(handlers: DeliveryWork): void;
  /** Counts the work that waits to start. Does not count delayed work. */
  depth(): Promise<number>;
  /** Returns whether the queue takes a write now. */
  reachable(): Promise<boolean>;
  /** Waits for running work. Starts no more work. */
  close(): Promise<void>;
}
