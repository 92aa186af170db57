import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { ImportQueue } from '../../../src/domain/ports/media/import-queue.ts';
import { deliveryQueue, type MemoryDeliveryQueue } from '../webhooks/delivery-queue.ts';

export interface MemoryImportQueue extends ImportQueue, Pick<MemoryDeliveryQueue, 'run' | 'failures'> {}

/** Follows the same rules as the queue of deliveries. */
export const importQueue = (clock: Clock): MemoryImportQueue => {
  const { wake, wakeLater, work, ...queue } = deliveryQueue(clock);
  return {
    ...queue,
    ask: (owners) => wake(owners.map(({ storeId, installationId }) => ({ storeId, subscriptionId: installationId }))),
    askLater: ({ storeId, installationId }, seconds) => wakeLater({ storeId, subscriptionId: installationId }, seconds),
    work: (run) => {
      work({
        deliver: ({ storeId, subscriptionId }) => run({ storeId, installationId: subscriptionId }),
        fanOut: () => Promise.resolve(),
      });
    },
  };
};
