import type { BacklogState, BoundedCount } from '../../webhooks/backlog.ts';
import type { SubscriptionKey } from '../../webhooks/subscription.ts';

/** The queue of a subscription. */
export interface QueuedOfOne extends BoundedCount {
  readonly oldest: BacklogState['waiting']['oldest'];
}

export interface Backlog {
  /**
   * Counts the deliveries of the store that are due now, at most `limit`. Names the one that has
   * been due for the longest time, with its seconds. Counts the deliveries that are held, at most
   * `limit` of each reason, also while a probe is due. Leaves out reasons without a delivery. Leaves out deliveries that wait
   * for their next attempt. Counts none as due that waits for an earlier one of its resource. Counts all that have not ended, and names the oldest. Returns null when the store does not exist.
   */
  read(storeId: string, limit: number): Promise<BacklogState | null>;
  /** Counts the deliveries to each of these subscriptions of the store that have not ended, at most `limit`. */
  readOf(storeId: string, subscriptionIds: readonly string[], limit: number): Promise<ReadonlyMap<string, BoundedCount>>;
  /**
   * Counts the deliveries to the subscription of the store that have not ended, at most `limit`.
   * Names the oldest of the 10,000 that are due first, with its seconds.
   */
  readOne(subscription: SubscriptionKey, limit: number): Promise<QueuedOfOne>;
}
