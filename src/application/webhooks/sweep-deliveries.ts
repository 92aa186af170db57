import { scheduleLength } from '../../domain/webhooks/delivery.ts';
import type { RetrySchedule } from '../../domain/webhooks/delivery.ts';
import type { Ports } from '../../domain/ports/index.ts';

const BATCH = 1_000;

/**
 * Asks anew for all work that the rows say is due: what a crash or an emptied queue forgot. Ends what was held for longer than the
 * schedule since its event (decisions.md, Webhooks, Dropping).
 */
export const sweepDeliveries =
  ({ deliveries, deliveryQueue }: Pick<Ports, 'deliveries' | 'deliveryQueue'>, schedule: RetrySchedule) =>
  async (): Promise<void> => {
    for (const storeId of await deliveries.storesToFanOut()) await deliveryQueue.fanOut(storeId);
    await deliveryQueue.wake(await deliveries.subscriptionsToWake());
    while ((await deliveries.expireHeld(scheduleLength(schedule), BATCH)) === BATCH);
  };
