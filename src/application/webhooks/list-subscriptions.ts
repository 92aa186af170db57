import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import type { Subscription, SubscriptionOwner } from '../../domain/webhooks/subscription.ts';

/** The subscriptions of this installation alone, or of the merchant. */
export const listSubscriptions =
  ({ subscriptions }: Pick<Ports, 'subscriptions'>) =>
  async ({ storeId, installationId }: SubscriptionOwner): Promise<Result<readonly Subscription[], 'not_found'>> => {
    const found = await subscriptions.list({ storeId, installationId });
    return found ? ok(found) : notFound('Store');
  };
