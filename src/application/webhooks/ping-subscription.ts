import type { Cause } from '../../domain/cause.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { SubscriptionOwner } from '../../domain/webhooks/subscription.ts';

/**
 * Sends a `ping` to one subscription, so that a receiver can be tried before anything happens in
 * the store.
 */
export const pingSubscription =
  ({ deliveryLog, deliveryQueue }: Pick<Ports, 'deliveryLog' | 'deliveryQueue'>) =>
  async (cause: Cause, subscriptionId: string): Promise<Result<null, 'not_found'>> => {
    if (!(await deliveryLog.ping(cause, subscriptionId))) return notFound('Active subscription');
    await deliveryQueue.wake([subscriptionId]);
    return ok(null);
  };

/** Sends a `ping` to a subscription of the owner; another's is not found. */
export const pingOwnSubscription =
  ({ subscriptions, ...delivery }: Pick<Ports, 'subscriptions' | 'deliveryLog' | 'deliveryQueue'>) =>
  async (cause: Cause, { storeId, installationId }: SubscriptionOwner, id: string): Promise<Result<null, 'not_found'>> => {
    const owned = await subscriptions.list({ storeId, installationId });
    return owned?.some((one) => one.id === id) === true ? pingSubscription(delivery)(cause, id) : notFound('Active subscription');
  };
