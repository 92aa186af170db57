import type { Ports } from '../../domain/ports/index.ts';

/**
 * With a thousand subscriptions for each event, that is 50,000 rows in one transaction, and takes
 * one or two seconds.
 */
const BATCH = 50;

/** Makes the deliveries of a store's waiting events, and requests turns for their subscriptions. */
export const fanOutEvents =
  ({ deliveries, deliveryQueue }: Pick<Ports, 'deliveries' | 'deliveryQueue'>) =>
  async (storeId: string): Promise<void> => {
    for (;;) {
      const { events, subscriptionIds } = await deliveries.fanOut(storeId, BATCH);
      await deliveryQueue.wake(subscriptionIds);
      if (events < BATCH) return;
    }
  };
