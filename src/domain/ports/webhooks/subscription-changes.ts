import type { EditedContent, Subscription, SubscriptionContent, SubscriptionKey } from '../../webhooks/subscription.ts';
import type { NewSubscription, WatchedSubscription } from './subscription-repository.ts';

/** The most waiting deliveries that a replacement takes over: it moves them in one transaction. */
export const MAX_TAKEN_OVER = 10_000;

export interface SubscriptionChanges {
  /**
   * Adds the subscription in the place of one of its owner, which it removes. Takes over its queued
   * deliveries, with their attempts. Ends those of types that it does not name as Dropped. Matches the events that the other matched and that wait for
   * their fan-out. Stops the attempts in flight of the other, and starts none after it resolves. Stays
   * paused where the other was. Also replaces one of 50 of an installation. Returns `deactivated` and
   * changes nothing when the other is deactivated. Returns `waiting` and changes nothing when more than
   * 10,000 of its deliveries are queued. Returns `ending` and does not replace it while many of its
   * deliveries are still being ended. Returns null and changes nothing when the owner has no
   * subscription with this id.
   */
  replace(subscription: NewSubscription, replaced: string): Promise<Subscription | 'deactivated' | 'ending' | 'waiting' | null>;
  /**
   * Changes what is given of the merchant's subscription. Keeps its id, its secret and its queued
   * deliveries. Stops its attempts in flight, and starts none at the URL before. Makes the probe of
   * an open breaker due when the URL changes. Adds no delivery of a type that it does not name any
   * more. Does not change when it was deactivated. Returns `of_an_app` and changes nothing for the
   * subscription of an app. Returns `unfit` and changes nothing when `fits` refuses all that the subscription would say then,
   * also after an edit at the same time. Returns null when the store has no subscription with this id.
   */
  edit(
    subscription: SubscriptionKey,
    content: EditedContent,
    fits?: (after: SubscriptionContent) => boolean,
  ): Promise<WatchedSubscription | 'of_an_app' | 'unfit' | null>;
  /**
   * Keeps the subscription from being sent to, also one of an app. Stops its attempts in flight,
   * whose deliveries wait. Starts no attempt after it resolves. Does not change since when it is
   * paused. Returns `deactivated` and changes nothing for a deactivated one. Returns
   * `of_a_platform_app` and changes nothing for the event address of a platform app. Returns null when the
   * store has no subscription with this id.
   */
  pause(subscription: SubscriptionKey): Promise<WatchedSubscription | 'deactivated' | 'of_a_platform_app' | null>;
  /**
   * Ends the pause, so that what waits can be sent. Its time does not count as time without a success. Changes nothing for one that is not paused.
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
