import type { DeliveryQueue } from '../../domain/ports/webhooks/delivery-queue.ts';
import { openJobQueue, type JobQueueOptions } from './job-queue.ts';

export interface DeliveryQueueOptions extends Omit<JobQueueOptions, 'topic' | 'minIntervalMs'> {
  /**
   * The least time from one fan-out of a store to the next one that a request on this node starts.
   * 0 by default.
   */
  readonly fanOutIntervalMs?: number;
}

/**
 * Schedules the work on deliveries with BullMQ on PostgreSQL or on Redis. A job is coarse, one
 * store or one subscription; the deliveries themselves are rows. Rejects when the database cannot
 * be reached at the start; Redis may come later.
 */
export const createDeliveryQueue = async ({ fanOutIntervalMs = 0, ...options }: DeliveryQueueOptions): Promise<DeliveryQueue> => {
  const minIntervalMs = { 'fan-out': fanOutIntervalMs };
  const jobs = await openJobQueue<'fan-out' | 'deliver' | 'later'>({ ...options, topic: 'deliveries', minIntervalMs });
  return {
    fanOut: (storeId) => jobs.request('fan-out', [storeId]),
    wake: (subscriptionIds) => jobs.request('deliver', subscriptionIds),
    wakeLater: (subscriptionId, seconds) => jobs.requestLater('later', subscriptionId, seconds),
    work: (handlers) => {
      jobs.work({
        'fan-out': (storeId) => handlers.fanOut(storeId),
        deliver: (subscriptionId) => handlers.deliver(subscriptionId),
        // A delayed job with the name of the delivery would take the place of every wake until its time. This one only wakes.
        later: (subscriptionId) => jobs.request('deliver', [subscriptionId]),
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
