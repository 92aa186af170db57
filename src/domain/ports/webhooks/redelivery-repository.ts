import type { Hold } from '../../webhooks/delivery.ts';
import type { NotSendable } from '../../webhooks/why-not-sendable.ts';
import type { DeliveryFilter } from './delivery-log.ts';

/** Result of a dry run of a redelivery by filter. */
export interface RedeliveryCount {
  readonly deliveries: number;
  /** Deliveries that match the filter, also if their subscription may not receive them any more. */
  readonly matching: number;
  /** Deliveries out of `deliveries` that wait longer because something blocks their receiver. */
  readonly held: readonly { readonly reason: Hold; readonly count: number }[];
  /** Matching deliveries that cannot be sent again. */
  readonly refused: readonly { readonly reason: NotSendable; readonly count: number }[];
  /** False when the count stopped before the end of the log: there may be more. */
  readonly isComplete: boolean;
  /** The moment of the count, as ISO 8601 in UTC with milliseconds. */
  readonly askedAt: string;
}

export interface RedeliveryBatch {
  readonly deliveries: number;
  /** The subscriptions of the store that have a delivery of this batch, each once. */
  readonly subscriptionIds: readonly string[];
  readonly isLast: boolean;
}

/** A request in its store. */
export interface RedeliveryKey {
  readonly storeId: string;
  readonly id: string;
}

/** A count, kept for the request. */
export interface RedeliveryRequest {
  readonly askedAt: string;
  /** The deliveries that match the filter. Null when they were not counted to the end. */
  readonly total: number | null;
}

/** How far a redelivery by filter is. Times are ISO 8601 in UTC with milliseconds. */
export interface RedeliveryProgress extends RedeliveryKey {
  /** The app whose deliveries alone it sends again. Null when the filter names none. */
  readonly installationId: string | null;
  /** The deliveries that matched at the request. Null when they were not counted to the end. */
  readonly total: number | null;
  /** Deliveries that were made due so far. */
  readonly sent: number;
  /** Deliveries that were left out so far: changed since the request, or not to be received any more. */
  readonly skipped: number;
  readonly createdAt: string;
  /** Null until the last batch. */
  readonly finishedAt: string | null;
}

/** The most deliveries that a count reads. */
export const MAX_COUNTED = 100_000;

export interface RedeliveryRepository {
  /**
   * Counts the deliveries of the store that match every filter. Leaves out deliveries whose
   * subscription may not receive them any more, and counts them by reason. Counts those that are held by
   * reason. Stops after it has read 100,000 deliveries. Returns
   * null when the store does not exist.
   */
  count(storeId: string, filter: DeliveryFilter): Promise<RedeliveryCount | null>;
  /** Keeps the request, and returns its id. */
  add(storeId: string, filter: DeliveryFilter, request: RedeliveryRequest): Promise<string>;
  /**
   * Returns how far the request is: what its batches sent and what they left out. Names the app of
   * its filter. Returns null when the store does not have the request.
   */
  get(storeId: string, id: string): Promise<RedeliveryProgress | null>;
  /**
   * Makes at most `limit` deliveries due now, with a new schedule, newest first. Leaves out
   * deliveries that changed after the request, so that each is sent again once and none that
   * matched later. Leaves out deliveries whose subscription may not receive them any more. Continues
   * behind the batch before. Returns null when the store does not have the request, it is finished, or
   * another call works on it.
   */
  next(storeId: string, id: string, limit: number): Promise<RedeliveryBatch | null>;
  /** Returns the requests that are not finished, the oldest first. */
  open(): Promise<readonly RedeliveryKey[]>;
  /** Deletes at most `limit` requests that finished more than `days` days ago, and returns how many. */
  purge(days: number, limit: number): Promise<number>;
}
