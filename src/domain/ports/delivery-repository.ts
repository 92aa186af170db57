import type { AttemptError, SubscriptionHealth, Verdict } from '../webhooks/delivery.ts';

export interface FannedOut {
  /** Events that were taken. */
  readonly events: number;
  /** The subscriptions that have a delivery of them, each once. */
  readonly subscriptionIds: readonly string[];
}

/** Where a subscription's deliveries go. */
export interface DeliveryTarget {
  readonly subscriptionId: string;
  readonly installationId: string | null;
  readonly url: string;
  /** Sealed, those that live now, newest first; the context is the installation's id, or the subscription's for the merchant's own. */
  readonly secrets: readonly string[];
  readonly health: SubscriptionHealth;
  /** Nothing is sent: the app is suspended or the store inactive. */
  readonly held: boolean;
}

export interface DueDelivery {
  readonly id: string;
  readonly eventId: string;
  /** The frozen bytes, as text. */
  readonly body: string;
  /** Attempts made so far, all in all. */
  readonly attempts: number;
  /** Attempts of the present schedule. */
  readonly tries: number;
  /** From the commit of the event to now. */
  readonly ageSeconds: number;
}

/** An attempt that has ended. Times in milliseconds. */
export interface AttemptRecord {
  readonly deliveryId: string;
  readonly number: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly address: string | null;
  readonly error: AttemptError | null;
  /** At most 4 KiB of the response; null when none came. */
  readonly response: string | null;
  readonly verdict: Verdict;
}

/** What the attempts made of a subscription. */
export interface HealthRecord extends SubscriptionHealth {
  readonly subscriptionId: string;
  /** It is deactivated, and what is queued for it ends as Failed. */
  readonly deactivates: boolean;
}

/** The worker's side of the deliveries. Times are judged by the database's clock, which all nodes agree on. */
export interface DeliveryRepository {
  /** Takes up to `limit` of the store's events that wait, the oldest first, and makes one delivery for each matching subscription: an active one of the store that names the type; where an app owns it, one that is not uninstalled and holds the type's scope now, and, for metaobject.* and media.* with an origin, is that origin. A subscription younger than the event gets none. All of it or nothing; two that run at once share no event. */
  fanOut(storeId: string, limit: number): Promise<FannedOut>;
  /** Null when the subscription is gone or deactivated. */
  target(subscriptionId: string): Promise<DeliveryTarget | null>;
  /** Up to `limit` due deliveries, the longest due first; together at most 1 MiB of bodies, but at least one; none of those that the caller has `taken` before and not settled yet. Call it with the subscription's lease, which alone keeps other workers from sending them. */
  due(subscriptionId: string, limit: number, taken: readonly string[]): Promise<readonly DueDelivery[]>;
  /** Records attempts with what follows from them, and the subscriptions' health, all or nothing. An attempt whose delivery is not queued any more, or not for that number, changes nothing. */
  settle(attempts: readonly AttemptRecord[], health: readonly HealthRecord[]): Promise<void>;
  /** Seconds until the subscription's next delivery is due, 0 when one is; null when none is queued. */
  nextDueSeconds(subscriptionId: string): Promise<number | null>;
  /** The stores with events that wait for their fan-out. */
  storesToFanOut(): Promise<readonly string[]>;
  /** The subscriptions that have deliveries to send now: due and not held. */
  subscriptionsToWake(): Promise<readonly string[]>;
  /** Those of the installation, or of the whole store, that have anything queued. */
  queuedSubscriptions(owner: { readonly storeId: string; readonly installationId?: string }): Promise<readonly string[]>;
  /** Ends as Failed up to `limit` deliveries that are held by a suspension or an inactive store and whose event is older than so many seconds. How many it were. */
  expireHeld(seconds: number, limit: number): Promise<number>;
  /** Removes up to `limit` ended deliveries, with their attempts, that are older than so many days, and events that are and have no delivery left. How many it were. */
  purge(days: number, limit: number): Promise<number>;
  /** Deliveries that wait to be sent, and the age in seconds of the one that is due the longest, held ones not counted; open breakers. */
  figures(): Promise<{ readonly queued: number; readonly oldestDueSeconds: number; readonly openBreakers: number }>;
}
