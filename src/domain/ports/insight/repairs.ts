import type { RepairableName } from '../../insight/invariants.ts';
import type { SubscriptionKey } from '../../webhooks/subscription.ts';

export interface RepairPage {
  /** The `next` of the page before. Null begins with the first row. */
  readonly after: string | null;
  /** The most rows to look at. */
  readonly limit: number;
  /** Seconds. An older event that has no delivery is not delivered. */
  readonly deliverSeconds: number;
}

export interface Repaired {
  /** The number of rows that the page looked at. */
  readonly counted: number;
  /** The number of rows that it repaired. */
  readonly repaired: number;
  /** The stores whose feed has new places. */
  readonly storeIds: readonly string[];
  /** The subscriptions with deliveries that are queued now. */
  readonly subscriptions: readonly SubscriptionKey[];
  /** Where the next page begins. Null on the last page. */
  readonly next: string | null;
}

/** A repair changes nothing that violates no invariant. */
export interface Repairs {
  /**
   * For `events_placed`, gives each event that has no place in the feed of its store, and waits for none, the
   * next position, in the order in which the events were recorded. Gives no place to a `ping`. Creates the
   * deliveries of such an event as a fan-out does, if there are not any. Creates none for an event that has
   * deliveries, or is older than `deliverSeconds`. For `pending_queued`, makes each pending delivery that is not
   * queued due again, with a new schedule. Ends it as Dropped if its subscription may not receive the event any
   * more. Looks at no more than `limit` rows, always in the same order, and says where the next page begins. Returns
   * null for an `after` that is not the `next` of a page.
   */
  repair(name: RepairableName, page: RepairPage): Promise<Repaired | null>;
}
