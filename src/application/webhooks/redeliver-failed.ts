import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';

const BATCH = 1_000;

/**
 * Sends again all deliveries of a subscription that failed and were created since then. `since` is
 * in milliseconds since the epoch.
 */
export const redeliverFailed =
  ({ deliveryLog, deliveryQueue }: Pick<Ports, 'deliveryLog' | 'deliveryQueue'>) =>
  async (subscriptionId: string, since: number): Promise<Result<{ readonly deliveries: number }, 'not_found' | 'conflict'>> => {
    let deliveries = 0;
    for (;;) {
      const batch = await deliveryLog.redeliverFailed(subscriptionId, since, BATCH);
      if (batch === null) return notFound('Subscription');
      if (batch === 'gone') return refuse('conflict', 'The subscription is deactivated.');
      deliveries += batch;
      if (batch < BATCH) break;
    }
    if (deliveries > 0) await deliveryQueue.wake([subscriptionId]);
    return ok({ deliveries });
  };
