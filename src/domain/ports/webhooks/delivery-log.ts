import type { Cause } from '../../cause.ts';
import type { TracedEvent } from '../../trace.ts';
import type { BoundedCount } from '../../webhooks/backlog.ts';
import type { AttemptError, DeliveryError, DeliveryStatus, WaitingReason } from '../../webhooks/delivery.ts';
import type { SubscribableType } from '../../webhooks/event.ts';
import type { Receiver } from '../../webhooks/receiver.ts';
import type { Delivery } from '../../webhooks/shown-delivery.ts';
import type { NotSendable } from '../../webhooks/why-not-sendable.ts';
import type { SubscriptionFilter } from '../../webhooks/subscription-filter.ts';
import type { SubscriptionKey } from '../../webhooks/subscription.ts';

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
  /** The header `webhook-gap`. Null without one. */
  readonly gap: string | null;
}

/** A delivery with what was sent and answered. */
export interface LoggedDelivery extends Delivery, TracedEvent {
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
  readonly waitingBecause?: readonly WaitingReason[] | undefined;
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

/** Times are in milliseconds since the epoch: of the creation of the deliveries. */
export interface AnswersWanted {
  readonly since: number;
  readonly until: number;
  readonly limit: number;
}

/** A sample of a receiver's answers. */
export interface AnswerSample {
  /** How many deliveries were looked at. */
  readonly deliveries: number;
  readonly items: readonly (Pick<Attempt, 'status' | 'error'> & { readonly count: number })[];
  readonly lastFailure: { readonly deliveryId: string; readonly number: number; readonly at: string } | null;
}

/** A subscription that an event matched without a delivery: its filter stopped the event, or was changed since. */
export interface Unsent {
  readonly subscriptionId: string;
  readonly installationId: string | null;
  readonly receiver: Receiver;
  readonly filter: SubscriptionFilter;
}

/** The most deliveries that one page reads to find those that match. */
export const MAX_SEARCHED = 50_000;

export interface DeliveryLog {
  /**
   * Returns at most `take` of the store's deliveries, newest first, that are older than `after`.
   * Returns only deliveries that match every filter. Ends a page early after 50,000 deliveries that
   * do not match, with the place that it reached. Passes any number of deliveries to one about a
   * resource that is asked for. Returns no place when no older delivery is left.
   * Shows a queued delivery as Waiting, with the first reason that applies, while its
   * store is inactive, its app is suspended, its subscription is paused or its breaker is not closed. Shows any other queued
   * delivery as Retrying after a failed attempt, and before that as Waiting for its turn. Names each
   * receiver by its description, or by host and path, with the name of its app. Shows the status of the last
   * response and the duration of the last attempt. Returns null when the store does not exist.
   */
  list(
    storeId: string,
    filter: DeliveryFilter,
    page: { readonly after: string | null; readonly take: number },
  ): Promise<DeliveryPage | null>;
  /**
   * Returns the delivery with its attempts in order, its receiver and the body that is sent. Returns
   * a receiver without a name when the subscription was removed. Returns null when the store does not
   * have the delivery.
   */
  get(storeId: string, id: string): Promise<LoggedDelivery | null>;
  /**
   * Counts the attempts of the newest deliveries of the subscription in the time, by status and
   * error, the most frequent first. Looks at no more than `limit` deliveries. Names the latest of
   * these attempts that failed.
   */
  answers(subscription: SubscriptionKey, wanted: AnswersWanted): Promise<AnswerSample>;
  /**
   * Counts the deliveries of the store that are Failed, and became so since then (milliseconds since the epoch). Looks at no more
   * than `limit` of those whose last attempt failed, newest first, and says whether there are more.
   */
  failedSince(storeId: string, since: number, limit: number): Promise<BoundedCount>;
  /**
   * Makes the delivery due now, with a new schedule. Also makes a delivery due that waits for its
   * next attempt. Keeps the body of gathered events. Leaves a due delivery as it is, so that an attempt in flight is recorded. Returns
   * null when the store does not have the delivery. Returns why, and changes nothing, when the
   * subscription was removed or deactivated, or may not receive the type any more. A `ping` needs no
   * scope.
   */
  redeliver(storeId: string, id: string): Promise<{ readonly subscriptionId: string } | NotSendable | null>;
  /**
   * Redelivers at most `limit` failed deliveries of the subscription that were created since then,
   * and returns how many. Leaves out deliveries that did not fail, or whose type the subscription
   * may not receive any more. Returns null when the store does not have the subscription. Returns
   * `gone` when the subscription is deactivated.
   */
  redeliverFailed(subscription: SubscriptionKey, since: number, limit: number): Promise<number | 'gone' | null>;
  /**
   * Records a `ping` event with one delivery, to this subscription only. Returns false when the
   * store does not have the subscription, or it is deactivated. Keeps the id of the request that is
   * the cause.
   */
  ping(cause: Cause, subscription: SubscriptionKey): Promise<boolean>;
  /**
   * Returns the subscriptions with a filter that the event matches and that have no delivery of it, by
   * creation: at most `take`. Returns nothing while the event waits for its fan-out.
   */
  unsent(storeId: string, eventId: string, take: number): Promise<readonly Unsent[]>;
  /** Returns the deliveries of other events that have gathered this one, newest first: at most `take`. */
  gatheredInto(storeId: string, eventId: string, take: number): Promise<readonly Delivery[]>;
  /** Counts the subscriptions of the store that an event of this type would go to now. */
  countMatching(storeId: string, type: SubscribableType): Promise<number>;
}
