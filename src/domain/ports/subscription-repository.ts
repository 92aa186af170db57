import type { Subscription, SubscriptionContent, SubscriptionOwner } from '../webhooks/subscription.ts';

export interface NewSubscription extends SubscriptionContent, SubscriptionOwner {
  readonly id: string;
  /**
   * The sealed secret of a merchant's subscription. Null for an app's, which the secrets of its
   * installation sign.
   */
  readonly signingSecret: string | null;
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
   * Removes the owner's subscription. Stops its attempts in flight and ends its queued deliveries
   * as Dropped. Starts no attempt after it resolves. Returns false and changes nothing when the
   * owner has no subscription with this id.
   */
  delete(owner: SubscriptionOwner, id: string): Promise<boolean>;
}
