import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/**
 * Sends a `ping` to one subscription, so that a receiver can be tried before anything happens in
 * the store.
 */
export const pingSubscription =
  ({ deliveryLog, deliveryQueue }: Pick<Ports, 'deliveryLog' | 'deliveryQueue'>) =>
  async (subscriptionId: string): Promise<Result<null, 'not_found'>> => {
    if (!(await deliveryLog.ping(subscriptionId))) return notFound('Active subscription');
    await deliveryQueue.wake([subscriptionId]);
    return ok(null);
  };
