import type { PlacedPage, PlacedPageOf } from '../../page.ts';
import type { ShownHealth } from '../../webhooks/deliverability.ts';
import type { Subscription, SubscriptionContent, SubscriptionOwner } from '../../webhooks/subscription.ts';

export interface NewSubscription extends SubscriptionContent, SubscriptionOwner {
  readonly id: string;
  /**
   * The sealed secret of a merchant's subscription. Null for an app's, which the secrets of its
   * installation sign.
   */
  readonly signingSecret: string | null;
}

/** A subscription as the merchant sees it. */
export interface WatchedSubscription extends Subscription {
  /** The platform app whose event address on this store it is. Nobody owns it: it follows the app. */
  readonly platformAppId: string | null;
  readonly health: ShownHealth;
}

export interface TroubledSubscriptions {
  readonly failing: readonly WatchedSubscription[];
  readonly deactivated: readonly WatchedSubscription[];
}

export interface SubscriptionQuery {
  readonly installationId?: string | undefined;
  /** A text in the URL or the description, in any case, beyond ASCII too; or the id, or 8 or more of its first characters. */
  readonly q?: string | undefined;
}

export interface SubscriptionRepository {
  /**
   * Adds an active subscription. Returns null and writes nothing when the store does not exist or
   * has no live installation with this id. Returns `full` when the installation has 50
   * subscriptions, also when many are added at once.
   */
  create(subscription: NewSubscription): Promise<Subscription | 'full' | null>;
  /**
   * Returns only the owner's subscriptions, by creation, then id. Says for each subscription
   * whether it can be delivered to now. Returns null when the store does not exist.
   */
  list(owner: SubscriptionOwner): Promise<readonly Subscription[] | null>;
  /**
   * Returns a page of the store's subscriptions, also those of its apps, by creation, then id. Returns
   * only subscriptions that match every filter. Begins behind the place, if one is given. Counts all
   * that match, also before the place. Shows since when each fails, when its breaker
   * allows the next probe, and why it cannot be delivered to now. Returns null when the store does
   * not exist.
   */
  watch(storeId: string, page: PlacedPage, filter?: SubscriptionQuery): Promise<PlacedPageOf<WatchedSubscription> | null>;
  /**
   * Returns at most `take` active subscriptions of the store that fail, the longest failing first.
   * Returns at most `take` deactivated subscriptions of the store, the latest first. Returns null
   * when the store does not exist.
   */
  troubled(storeId: string, take: number): Promise<TroubledSubscriptions | null>;
  /**
   * Removes the owner's subscription. Stops its attempts in flight and ends its queued deliveries
   * as Dropped. Starts no attempt after it resolves. Returns false and changes nothing when the
   * owner has no subscription with this id.
   */
  delete(owner: SubscriptionOwner, id: string): Promise<boolean>;
  /**
   * Returns the subscription of the store, also one of an app, as `watch` shows it. Returns null
   * when the store has no subscription with this id.
   */
  find(storeId: string, id: string): Promise<WatchedSubscription | null>;
}
