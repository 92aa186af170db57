import type { AttemptError, Verdict } from '../../webhooks/delivery.ts';
import type { TracedEvent, Traceparent } from '../../trace.ts';
import type { SubscriptionKey } from '../../webhooks/subscription.ts';
import type { SubscriptionHealth } from '../../webhooks/subscription-health.ts';

export interface FannedOut {
  /** The number of events taken. */
  readonly events: number;
  /** The subscriptions of the store that have a new delivery of these events, or one that is due sooner, each once. */
  readonly subscriptionIds: readonly string[];
  /** The traces of the requests that caused these events, each once. */
  readonly traceparents: readonly Traceparent[];
}

/** Where a subscription's deliveries go. */
export interface DeliveryTarget extends SubscriptionKey {
  readonly installationId: string | null;
  readonly url: string;
  /** The sealed secrets that are valid now, newest first. */
  readonly secrets: readonly string[];
  /**
   * The context of the secrets: the id of the platform app, or of the installation of another app, or of
   * the subscription of the merchant.
   */
  readonly secretsOf: string;
  readonly health: SubscriptionHealth;
  /**
   * True while the app is suspended, the store inactive or the subscription paused by the merchant,
   * so that nothing is sent.
   */
  readonly held: boolean;
  /** True when deliveries of one resource wait for each other. */
  readonly isOrdered: boolean;
}

/** Only the lease on its subscription keeps other workers from sending a delivery too. */
export interface DueDelivery extends TracedEvent {
  readonly id: string;
  readonly eventId: string;
  /** The frozen bytes, as text. */
  readonly body: string;
  /** All attempts so far. */
  readonly attempts: number;
  /** Attempts of the present schedule. */
  readonly tries: number;
  /** Since the commit of the event, or since the end of the window of a delivery that has gathered. */
  readonly ageSeconds: number;
  /** In an order: the event before this one of its resource, if it was given up. */
  readonly gap: string | null;
}

/** An attempt that has ended. Times in milliseconds. */
export interface AttemptRecord {
  readonly storeId: string;
  readonly deliveryId: string;
  readonly number: number;
  readonly startedAt: number;
  readonly durationMs: number;
  /** From the commit of the event to the start of the first attempt. Null for later attempts. */
  readonly waitedMs: number | null;
  readonly status: number | null;
  readonly address: string | null;
  readonly error: AttemptError | null;
  /** At most 4 KiB of the response. Null when there was no response. */
  readonly response: string | null;
  /** The header `webhook-signature`. Null when nothing was sent. */
  readonly signature: string | null;
  /** The header `webhook-gap`. */
  readonly gap: string | null;
  readonly verdict: Verdict;
}

/** The health of a subscription after its attempts. */
export interface HealthRecord extends SubscriptionKey, SubscriptionHealth {
  /** True when the subscription is deactivated. */
  readonly deactivates: boolean;
}

/** The most queued deliveries that the metrics and the doctor count, so that a count takes the same time in any queue. */
export const MAX_QUEUED_COUNTED = 100_000;

/** All that is owed to receivers now. An event without deliveries is owed as well: nobody has fanned it out. */
export interface QueueFigures {
  readonly queued: number;
  readonly waitingEvents: number;
  readonly oldestDueSeconds: number;
  readonly openBreakers: number;
}

export interface DeliveryRepository {
  /**
   * Takes at most `limit` of the store's events that wait for their fan-out, oldest first. Returns
   * the traces of the requests that caused them. Creates one delivery of each event for each matching subscription. A matching subscription belongs to
   * the store and names the type. A matching app is not uninstalled and has the scope of the type
   * now; a suspended app matches. An event of metaobject.* or media.* that an app caused goes to
   * this app and to the merchant only. A subscription that was created after the event does not
   * match. An event that the filter of a matching subscription stops makes no delivery to it, and is
   * counted. An event that a subscription gathers joins its open delivery for the resource and the type, is counted, and becomes the
   * event of this delivery, or opens one. Such a delivery is due when no event joined it for the quiet time, and no later than the
   * longest time after it was opened. With an order, an event opens another if a delivery of its resource is queued
   * behind the open one. The body of a delivery to a subscription that includes the product has the product that the event is about, as it
   * is at the fan-out, and says where another commit has changed it since the event. A filter judges all the data of each event, however large they are together. Two calls at
   * the same time take different events. Gives each event the next position in
   * the feed of its store.
   */
  fanOut(storeId: string, limit: number): Promise<FannedOut>;
  /**
   * Returns the URL, the valid secrets and the health of the subscription, whether it is held, and
   * whether it has an order.
   * Returns null when the store does not have the subscription, or it is deactivated.
   */
  target(subscription: SubscriptionKey): Promise<DeliveryTarget | null>;
  /**
   * Returns at most `limit` due deliveries, the longest due first. Returns at most 1 MiB of bodies,
   * but at least one delivery. Leaves out the deliveries in `taken`. Returns deliveries that an
   * earlier worker took and did not settle. Returns the body with the fields that the subscription
   * had at the fan-out. Returns the body of all gathered events, which no event joins from then on: it is
   * the same each time. Returns only ids where one of the gathered events was too large to be sent. Leaves out a delivery that has an order while an earlier one of its resource
   * and its subscription is queued. Names the event before it that was given up, if that is
   * among the latest 1,000 of the resource.
   */
  due(subscription: SubscriptionKey, limit: number, taken: readonly string[]): Promise<readonly DueDelivery[]>;
  /**
   * Returns the delivery that is due first, also one that is not due yet. Keeps the order. Ends the window in which events join it. Returns
   * null when no delivery is queued.
   */
  first(subscription: SubscriptionKey): Promise<DueDelivery | null>;
  /**
   * Records each attempt, with the status and the next due time of its delivery. Counts the
   * attempts of the delivery, and of its present schedule. Changes nothing for an attempt whose
   * delivery does not wait for an attempt of this number. Changes nothing for an attempt whose
   * delivery has ended. Records the health of each subscription, which fails since its first
   * failure after a success. Ends the queued deliveries of a deactivated subscription as Failed.
   * Does not activate a subscription again. Records a `subscription.failing` event when a breaker
   * opens, a `subscription.recovered` event when it closes, and a `subscription.deactivated` event.
   * Records a `delivery.exhausted` event for each delivery that an attempt ends as Failed. Records
   * none for the delivery of such an event. Returns the stores with new events.
   */
  settle(attempts: readonly AttemptRecord[], health: readonly HealthRecord[]): Promise<readonly string[]>;
  /**
   * Returns the seconds until the subscription's next delivery is due, and 0 when one is due.
   * Returns null when no delivery is queued.
   */
  nextDueSeconds(subscription: SubscriptionKey): Promise<number | null>;
  /** Returns the stores with events that wait for their fan-out. */
  storesToFanOut(): Promise<readonly string[]>;
  /**
   * Returns the subscriptions with due deliveries. Leaves out subscriptions that are held or have
   * an open breaker. Leaves out those whose due deliveries all wait for an earlier one of their resource.
   */
  subscriptionsToWake(): Promise<readonly SubscriptionKey[]>;
  /**
   * Returns the subscriptions of the installation, or of the whole store, that have queued
   * deliveries.
   */
  queuedSubscriptions(owner: { readonly storeId: string; readonly installationId?: string }): Promise<readonly SubscriptionKey[]>;
  /**
   * Writes the end of queued deliveries that a change has ended and that is not written yet. Looks at
   * no more than `limit` deliveries, and returns how many. Does not change what the deliveries show,
   * nor when they ended.
   */
  endQueued(limit: number): Promise<number>;
  /**
   * Ends held deliveries as Failed when their event is older than `seconds`. Ends none because the
   * merchant paused its subscription. Ends at most `limit`
   * deliveries, and returns how many. Records a `delivery.exhausted` event for each.
   */
  expireHeld(seconds: number, limit: number): Promise<number>;
  /**
   * Deletes ended deliveries that are older than `days` days, with their attempts, and then their
   * events. Deletes at most `limit` rows, and returns how many. Keeps queued deliveries with their
   * events, and events that wait for their fan-out. Keeps events that are in the feed.
   */
  purge(days: number, limit: number): Promise<number>;
  /**
   * Counts the queued deliveries that are not held, at most `limit`. Counts the events that wait
   * for their fan-out, at most `limit`. Returns for how many seconds the oldest of both has been
   * due. Counts the open breakers of active subscriptions.
   */
  figures(limit: number): Promise<QueueFigures>;
}
