import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, type RefusalCode, type Result } from '../../domain/result.ts';
import type { SubscriptionKey } from '../../domain/webhooks/subscription.ts';

type Owner = Pick<Caller, 'storeId' | 'installationId'>;

/**
 * Limits the merchant's use cases of subscriptions to an app's own. Another app's subscription does
 * not exist for it.
 */
export const ofOwnSubscription =
  ({ subscriptions }: Pick<Ports, 'subscriptions'>) =>
  <A extends readonly unknown[], T, C extends RefusalCode>(
    use: (subscription: SubscriptionKey, ...given: A) => Promise<Result<T, C>>,
  ) =>
  async ({ storeId, installationId }: Owner, subscriptionId: string, ...given: A): Promise<Result<T, C | 'not_found'>> => {
    const found = await subscriptions.find(storeId, subscriptionId);
    return found?.installationId === installationId ? use({ storeId, subscriptionId }, ...given) : notFound('Subscription');
  };
