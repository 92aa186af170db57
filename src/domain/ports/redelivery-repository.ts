import type { DeliveryFilter } from './delivery-log.ts';

/** What a redelivery by filter would send. */
export interface RedeliveryCount {
  readonly deliveries: number;
  /** False when the count stopped before the end of the log: there may be more. */
  readonly isComplete: boolean;
  /** The moment of the count, as ISO 8601 in UTC with milliseconds. */
  readonly askedAt: string;
}

export interface RedeliveryBatch {
  readonly deliveries: number;
  /** The subscriptions that have a delivery of this batch, each once. */
  readonly subscriptionIds: readonly string[];
  readonly isLast: boolean;
}

/** The most deliveries that a count reads. */
export const MAX_COUNTED = 100_000;

export interface RedeliveryRepository {
  /**
   * Counts the deliveries of the store that match every filter. Leaves out deliveries whose
   * subscription may not receive them any more. Stops after it has read 100,000 deliveries. Returns
   * null when the store does not exist.
   */
  count(storeId: string, filter: DeliveryFilter): Promise<RedeliveryCount | null>;
  /** Keeps the request until its last batch, and returns its id. */
  add(storeId: string, filter: DeliveryFilter, askedAt: string): Promise<string>;
  /**
   * Makes at most `limit` deliveries due now, with a new schedule, newest first. Leaves out
   * deliveries that changed after the request, so that each is sent again once and none that
   * matched later. Leaves out deliveries whose subscription may not receive them any more. Continues
   * behind the batch before. Returns null when no such request is left, or another call works on it.
   */
  next(id: string, limit: number): Promise<RedeliveryBatch | null>;
  /** Returns the requests that are not finished, the oldest first. */
  open(): Promise<readonly string[]>;
}
