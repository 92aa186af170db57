import type { EditedContent, SubscriptionKey } from '../../webhooks/subscription.ts';
import type { WatchedSubscription } from './subscription-repository.ts';

export interface SubscriptionChanges {
  /**
   * Changes what is given of the merchant's subscription. Keeps its id, its secret and its queued
   * deliveries. Stops its attempts in flight, and starts none at the URL before. Makes the probe of
   * an open breaker due when the URL changes. Adds no delivery of a type that it does not name any
   * more. Does not change when it was deactivated. Returns `of_an_app` and changes nothing for the
   * subscription of an app. Returns null when the store has no subscription with this id.
   */
  edit(subscription: SubscriptionKey, content: EditedContent): Promise<WatchedSubscription | 'of_an_app' | null>;
  /**
   * Keeps the subscription from being sent to, also one of an app. Stops its attempts in flight,
   * whose deliveries wait. Starts no attempt after it resolves. Does not change since when it is
   * paused. Returns `deactivated` and changes nothing for a deactivated one. Returns null when the
   * store has no subscription with this id.
   */
  pause(subscription: SubscriptionKey): Promise<WatchedSubscription | 'deactivated' | null>;
  /**
   * Ends the pause, so that what waits can be sent. Changes nothing for one that is not paused.
   * Returns null when the store has no subscription with this id.
   */
  resume(subscription: SubscriptionKey): Promise<WatchedSubscription | null>;
  /**
   * Activates a deactivated subscription as one that never failed. Keeps its id, its secret and its
   * deliveries. Changes nothing for an active one. Returns `ending` and does not activate it while
   * many of its deliveries are still being ended. Returns null when the store has no subscription
   * with this id.
   */
  reactivate(subscription: SubscriptionKey): Promise<WatchedSubscription | 'ending' | null>;
}
