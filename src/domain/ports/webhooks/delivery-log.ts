import type { Cause } from '../../cause.ts';
import type { AttemptError, DeliveryError, DeliveryStatus } from '../../webhooks/delivery.ts';
import type { SubscribableType } from '../../webhooks/event.ts';

/** Times are ISO 8601 in UTC with milliseconds. */
export interface Delivery {
  readonly id: string;
  readonly storeId: string;
  readonly eventId: string;
  readonly eventType: SubscribableType | 'ping';
  /** What the event is about. */
  readonly resourceId: string | null;
  /** The request that caused the event, by its X-Request-Id. Null if it is unknown. */
  readonly requestId: string | null;
  readonly subscriptionId: string;
  readonly installationId: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Why its last attempt failed, or why it ended without one. Null while nothing failed. */
  readonly error: DeliveryError | null;
  /** Null when it has ended. */
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly address: string | null;
  readonly error: AttemptError | null;
  readonly response: string | null;
  /** The header `webhook-signature`. Null when nothing was sent, or it was not recorded then. */
  readonly signature: string | null;
}

/** A delivery with what was sent and answered. */
export interface LoggedDelivery extends Delivery {
  /** The URL of its subscription. Null when the subscription was removed. */
  readonly url: string | null;
  /** The bytes that each attempt sends, as text. */
  readonly body: string;
  /** In order. */
  readonly log: readonly Attempt[];
}

export interface DeliveryFilter {
  readonly installationId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly statuses?: readonly DeliveryStatus[] | undefined;
  readonly types?: readonly Delivery['eventType'][] | undefined;
  readonly errors?: readonly DeliveryError[] | undefined;
  readonly resourceId?: string | undefined;
  /** The earliest creation, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Created before then, in milliseconds since the epoch. */
  readonly until?: number | undefined;
}

export interface DeliveryPage {
  readonly items: readonly Delivery[];
  /** The delivery to continue behind. Null when the list ends here. */
  readonly next: string | null;
}

/** The most deliveries that one page reads to find those that match. */
export const MAX_SEARCHED = 50_000;

export interface DeliveryLog {
  /**
   * Returns at most `take` of the store's deliveries, newest first, that are older than `after`.
   * Returns only deliveries that match every filter. Ends a page early after 50,000 deliveries that
   * do not match, with the place that it reached. Returns no place when no older delivery is left.
   * Shows a queued delivery as Held while its app is suspended, its store is
   * inactive or its breaker is open. Shows a due delivery as Delivering while a worker serves its
   * subscription. Returns null when the store does not exist.
   */
  list(
    storeId: string,
    filter: DeliveryFilter,
    page: { readonly after: string | null; readonly take: number },
  ): Promise<DeliveryPage | null>;
  /**
   * Returns the delivery with its attempts in order, the URL of its subscription and the body that
   * is sent. Returns no URL when the subscription was removed. Returns null when the delivery does
   * not exist.
   */
  get(id: string): Promise<LoggedDelivery | null>;
  /**
   * Makes the delivery due now, with a new schedule. Also makes a delivery due that waits for its
   * next attempt. Leaves a due delivery as it is, so that an attempt in flight is recorded. Returns
   * null when the delivery does not exist. Returns `gone` and changes nothing when the subscription
   * was removed or deactivated, or may not receive the type any more. A `ping` needs no scope.
   */
  redeliver(id: string): Promise<{ readonly subscriptionId: string } | 'gone' | null>;
  /**
   * Redelivers at most `limit` failed deliveries of the subscription that were created since then,
   * and returns how many. Leaves out deliveries that did not fail, or whose type the subscription
   * may not receive any more. Returns null when the subscription does not exist. Returns `gone`
   * when the subscription is deactivated.
   */
  redeliverFailed(subscriptionId: string, since: number, limit: number): Promise<number | 'gone' | null>;
  /**
   * Records a `ping` event with one delivery, to this subscription only. Returns false when the
   * subscription does not exist or is deactivated. Keeps the id of the request that is the cause.
   */
  ping(cause: Cause, subscriptionId: string): Promise<boolean>;
  /** Counts the subscriptions of the store that an event of this type would go to now. */
  countMatching(storeId: string, type: SubscribableType): Promise<number>;
}
