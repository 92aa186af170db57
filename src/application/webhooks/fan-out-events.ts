import type { Ports } from '../../domain/ports/index.ts';

/** With a thousand subscriptions to each event that is 50,000 rows in one transaction, a second or two. */
const BATCH = 50;

/** Makes the deliveries of a store's events that wait for it, and asks for their subscriptions to be served. */
export const fanOutEvents =
  ({ deliveries, deliveryQueue }: Pick<Ports, 'deliveries' | 'deliveryQueue'>) =>
  async (storeId: string): Promise<void> => {
    for (;;) {
      const { events, subscriptionIds } = await deliveries.fanOut(storeId, BATCH);
      await deliveryQueue.wake(subscriptionIds);
      if (events < BATCH) return;
    }
  };
