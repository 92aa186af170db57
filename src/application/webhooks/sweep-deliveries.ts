import { scheduleLength, type RetrySchedule } from '../../domain/webhooks/delivery.ts';
import type { Ports } from '../../domain/ports/index.ts';

const BATCH = 1_000;

/**
 * Requests all work that is due by the rows, also what a crash or an emptied queue lost. Ends
 * deliveries that were held for longer than the schedule since their event
 * (docs/specification/webhooks.md, "Waiting and dropped").
 */
export const sweepDeliveries =
  ({ deliveries, deliveryQueue }: Pick<Ports, 'deliveries' | 'deliveryQueue'>, schedule: RetrySchedule) =>
  async (): Promise<void> => {
    for (const storeId of await deliveries.storesToFanOut()) await deliveryQueue.fanOut(storeId);
    await deliveryQueue.wake(await deliveries.subscriptionsToWake());
    while ((await deliveries.expireHeld(scheduleLength(schedule), BATCH)) === BATCH);
  };
