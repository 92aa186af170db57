import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';

/**
 * Sends a delivery again, with the same id and body and a new schedule
 * (docs/specification/webhooks.md, "Log"). For an app, the delivery of another installation does
 * not exist.
 */
export const redeliver =
  ({ deliveryLog, deliveryQueue }: Pick<Ports, 'deliveryLog' | 'deliveryQueue'>) =>
  async (deliveryId: string, caller?: Pick<Caller, 'installationId'>): Promise<Result<null, 'not_found' | 'conflict'>> => {
    if (caller && (await deliveryLog.get(deliveryId))?.installationId !== caller.installationId) return notFound('Delivery');
    const found = await deliveryLog.redeliver(deliveryId);
    if (found === null) return notFound('Delivery');
    if (found === 'gone') {
      return refuse('conflict', 'The subscription is removed or deactivated, or may not receive this event type.');
    }
    await deliveryQueue.wake([found.subscriptionId]);
    return ok(null);
  };
