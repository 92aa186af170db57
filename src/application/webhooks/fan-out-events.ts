import type { Ports } from '../../domain/ports/index.ts';

/**
 * With a thousand subscriptions for each event, that is 50,000 rows in one transaction, and takes
 * one or two seconds.
 */
const BATCH = 50;

/**
 * Makes the deliveries of a store's waiting events, requests turns for their subscriptions, and
 * reports the events to those who wait for the feed. `onFannedOut` gets the number of events, for
 * the metrics.
 */
export const fanOutEvents =
  (
    { deliveries, deliveryQueue, feedSignal }: Pick<Ports, 'deliveries' | 'deliveryQueue' | 'feedSignal'>,
    onFannedOut: (events: number) => void = () => undefined,
  ) =>
  async (storeId: string): Promise<void> => {
    for (;;) {
      const { events, subscriptionIds } = await deliveries.fanOut(storeId, BATCH);
      // The turns of this node begin at once. Who waits for the feed does not wait for the queue.
      const woken = deliveryQueue.wake(subscriptionIds.map((subscriptionId) => ({ storeId, subscriptionId })));
      if (events > 0) feedSignal.announce(storeId);
      onFannedOut(events);
      await woken;
      if (events < BATCH) return;
    }
  };
