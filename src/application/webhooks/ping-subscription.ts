import type { Cause } from '../../domain/cause.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { SubscriptionKey, SubscriptionOwner } from '../../domain/webhooks/subscription.ts';

const NOT_FOUND = notFound('Active subscription');

/**
 * Sends a `ping` to one subscription, so that a receiver can be tried before anything happens in
 * the store.
 */
export const sendPing =
  ({ deliveryLog, deliveryQueue }: Pick<Ports, 'deliveryLog' | 'deliveryQueue'>) =>
  async (cause: Cause, subscription: SubscriptionKey): Promise<Result<null, 'not_found'>> => {
    if (!(await deliveryLog.ping(cause, subscription))) return NOT_FOUND;
    await deliveryQueue.wake([subscription]);
    return ok(null);
  };

/** Sends a `ping` to a subscription of any store. */
export const pingSubscription =
  ({ locator, ...delivery }: Pick<Ports, 'locator' | 'deliveryLog' | 'deliveryQueue'>) =>
  async (cause: Cause, subscriptionId: string): Promise<Result<null, 'not_found'>> => {
    const storeId = await locator.storeOf('subscription', subscriptionId);
    return storeId === null ? NOT_FOUND : sendPing(delivery)(cause, { storeId, subscriptionId });
  };

/** Sends a `ping` to a subscription of the owner; another's is not found. */
export const pingOwnSubscription =
  ({ subscriptions, ...delivery }: Pick<Ports, 'subscriptions' | 'deliveryLog' | 'deliveryQueue'>) =>
  async (cause: Cause, { storeId, installationId }: SubscriptionOwner, id: string): Promise<Result<null, 'not_found'>> => {
    const owned = await subscriptions.list({ storeId, installationId });
    return owned?.some((one) => one.id === id) === true ? sendPing(delivery)(cause, { storeId, subscriptionId: id }) : NOT_FOUND;
  };
