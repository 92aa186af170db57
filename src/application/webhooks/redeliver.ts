import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { WHY_NOT_SENDABLE } from '../../domain/webhooks/why-not-sendable.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';

/**
 * Sends a delivery again, with the same id and body and a new schedule
 * (docs/specification/webhooks.md, "Log"). For an app, the delivery of another installation does
 * not exist.
 */
export const redeliver =
  ({ deliveryLog, deliveryQueue, locator }: Pick<Ports, 'deliveryLog' | 'deliveryQueue' | 'locator'>) =>
  async (
    deliveryId: string,
    caller?: Pick<Caller, 'storeId' | 'installationId'>,
  ): Promise<Result<null, 'not_found' | 'conflict'>> => {
    const storeId = caller ? caller.storeId : await locator.storeOf('delivery', deliveryId);
    if (storeId === null) return notFound('Delivery');
    if (caller && (await deliveryLog.get(storeId, deliveryId))?.installationId !== caller.installationId) {
      return notFound('Delivery');
    }
    const found = await deliveryLog.redeliver(storeId, deliveryId);
    if (found === null) return notFound('Delivery');
    if (typeof found === 'string') return refuse('conflict', WHY_NOT_SENDABLE[found]);
    await deliveryQueue.wake([{ storeId, ...found }]);
    return ok(null);
  };
