import type { Subscription, SubscriptionContent, SubscriptionOwner } from '../webhooks/subscription.ts';

export interface NewSubscription extends SubscriptionContent, SubscriptionOwner {
  readonly id: string;
  /** Sealed, of the merchant's own; null where the installation's secrets sign. */
  readonly signingSecret: string | null;
}

export interface SubscriptionRepository {
  /** Adds an active subscription. Null, and nothing is written, when the store isn't there or the installation is no live one of it. `full` when the installation has 50, also when many are added at once. */
  create(subscription: NewSubscription): Promise<Subscription | 'full' | null>;
  /** The owner's subscriptions alone, by creation, then id; with whether they are deliverable now. Null when the store isn't there. */
  list(owner: SubscriptionOwner): Promise<readonly Subscription[] | null>;
  /** Removes the owner's subscription; aborts what is in flight and ends what is queued as Dropped: no attempt to it begins after this resolves. False, and nothing changes, when the owner has none of that id. */
  delete(owner: SubscriptionOwner, id: string): Promise<boolean>;
}
