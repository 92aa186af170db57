import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { SubscriptionOwner } from '../../domain/webhooks/subscription.ts';

/** Another owner's subscription is not found. */
export const deleteSubscription =
  ({ subscriptions }: Pick<Ports, 'subscriptions'>) =>
  async ({ storeId, installationId }: SubscriptionOwner, id: string): Promise<Result<null, 'not_found'>> =>
    (await subscriptions.delete({ storeId, installationId }, id)) ? ok(null) : notFound('Subscription');
