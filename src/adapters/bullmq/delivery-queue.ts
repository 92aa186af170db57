import type { DeliveryQueue } from '../../domain/ports/delivery-queue.ts';
import { openJobQueue } from './job-queue.ts';
import type { JobQueueOptions } from './job-queue.ts';

export type DeliveryQueueOptions = Omit<JobQueueOptions, 'topic'>;

/**
 * The work of delivering, scheduled by BullMQ on PostgreSQL or on Redis. A job is coarse, one store or one subscription: the deliveries themselves are rows.
 * Rejects where the database can't be reached at the start; Redis may come later.
 */
export const createDeliveryQueue = async (options: DeliveryQueueOptions): Promise<DeliveryQueue> => {
  const jobs = await openJobQueue<'fan-out' | 'deliver' | 'later'>({ ...options, topic: 'deliveries' });
  return {
    fanOut: (storeId) => jobs.ask('fan-out', [storeId]),
    wake: (subscriptionIds) => jobs.ask('deliver', subscriptionIds),
    wakeLater: (subscriptionId, seconds) => jobs.askLater('later', subscriptionId, seconds),
    work: (handlers) => {
      jobs.work({
        'fan-out': (storeId) => handlers.fanOut(storeId),
        deliver: (subscriptionId) => handlers.deliver(subscriptionId),
        // A delayed job of its own that only asks: delayed under the name of the delivery it would take every wake's place until then.
        later: (subscriptionId) => jobs.ask('deliver', [subscriptionId]),
      });
    },
    depth: () => jobs.depth(),
    reachable: () =>
      jobs.depth().then(
        () => true,
        () => false,
      ),
    close: () => jobs.close(),
  };
};
