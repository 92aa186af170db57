import type { Ports } from '../../domain/ports/index.ts';
import { notFound } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import type { SubscriptionOwner } from '../../domain/webhooks/subscription.ts';
import { pingSubscription } from './ping-subscription.ts';

/** Sends a `ping` to a subscription of the owner; another's is not found. */
export const pingOwnSubscription =
  ({ subscriptions, ...delivery }: Pick<Ports, 'subscriptions' | 'deliveryLog' | 'deliveryQueue'>) =>
  async ({ storeId, installationId }: SubscriptionOwner, id: string): Promise<Result<null, 'not_found'>> => {
    const owned = await subscriptions.list({ storeId, installationId });
    return owned?.some((one) => one.id === id) === true ? pingSubscription(delivery)(id) : notFound('Active subscription');
  };
