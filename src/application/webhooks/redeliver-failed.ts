import type { Ports } from '../../domain/ports/index.ts';
import { WHY_NOT_SENDABLE } from '../../domain/webhooks/why-not-sendable.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';

const BATCH = 1_000;

/**
 * Sends again all deliveries of a subscription that failed and were created since then. `since` is
 * in milliseconds since the epoch.
 */
export const redeliverFailed =
  ({ deliveryLog, deliveryQueue, locator }: Pick<Ports, 'deliveryLog' | 'deliveryQueue' | 'locator'>) =>
  async (subscriptionId: string, since: number): Promise<Result<{ readonly deliveries: number }, 'not_found' | 'conflict'>> => {
    const storeId = await locator.storeOf('subscription', subscriptionId);
    if (storeId === null) return notFound('Subscription');
    const subscription = { storeId, subscriptionId };
    let deliveries = 0;
    for (;;) {
      const batch = await deliveryLog.redeliverFailed(subscription, since, BATCH);
      if (batch === null) return notFound('Subscription');
      if (batch === 'gone') return refuse('conflict', WHY_NOT_SENDABLE.deactivated);
      deliveries += batch;
      if (batch < BATCH) break;
    }
    if (deliveries > 0) await deliveryQueue.wake([subscription]);
    return ok({ deliveries });
  };
