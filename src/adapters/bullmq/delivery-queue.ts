import type { DeliveryQueue } from '../../domain/ports/webhooks/delivery-queue.ts';
import type { SubscriptionKey } from '../../domain/webhooks/subscription.ts';
import { inStore, type StoreOfSubject, type Subject } from './work-task.ts';
import { openJobQueue, type JobQueueOptions } from './job-queue.ts';

export interface DeliveryQueueOptions extends Omit<JobQueueOptions, 'topic' | 'minIntervalMs'> {
  /**
   * The least time from one fan-out of a store to the next one that a request on this node starts.
   * 0 by default.
   */
  readonly fanOutIntervalMs?: number;
  /** Finds the store of a subscription. */
  readonly storeOf: StoreOfSubject;
}

const subjectOf = ({ storeId, subscriptionId }: SubscriptionKey): Subject => ({ storeId, id: subscriptionId });

/**
 * Schedules the work on deliveries with BullMQ on PostgreSQL or on Redis. A job is coarse, one
 * store or one subscription; the deliveries themselves are rows. Rejects when the database cannot
 * be reached at the start; Redis may come later.
 */
export const createDeliveryQueue = async ({
  fanOutIntervalMs = 0,
  storeOf,
  ...options
}: DeliveryQueueOptions): Promise<DeliveryQueue> => {
  const minIntervalMs = { 'fan-out': fanOutIntervalMs };
  const jobs = await openJobQueue<'fan-out' | 'deliver' | 'later'>({ ...options, topic: 'deliveries', minIntervalMs });
  return {
    fanOut: (storeId) => jobs.request('fan-out', [{ id: storeId }]),
    wake: (subscriptions) => jobs.request('deliver', subscriptions.map(subjectOf)),
    wakeLater: (subscription, seconds) => jobs.requestLater('later', subjectOf(subscription), seconds),
    work: (handlers) => {
      jobs.work({
        'fan-out': ({ id }) => handlers.fanOut(id),
        deliver: inStore(storeOf, (storeId, subscriptionId) => handlers.deliver({ storeId, subscriptionId })),
        // A delayed job with the name of the delivery would take the place of every wake until its time. This one only wakes.
        later: (subject) => jobs.request('deliver', [subject]),
      });
    },
    depth: () => jobs.depth(),
    reachable: () =>
      jobs.checkWrites().then(
        () => true,
        () => false,
      ),
    close: () => jobs.close(),
  };
};
