import type { Ports } from '../../domain/ports/index.ts';
import type { RedeliveryKey } from '../../domain/ports/webhooks/redelivery-repository.ts';

const BATCH = 1_000;

/**
 * Sends one batch of a redelivery by filter. False when there is nothing left to send, or another
 * worker is at it.
 */
export const continueRedelivery = async (
  { redeliveries, deliveryQueue }: Pick<Ports, 'redeliveries' | 'deliveryQueue'>,
  { storeId, id }: RedeliveryKey,
): Promise<boolean> => {
  const batch = await redeliveries.next(storeId, id, BATCH);
  if (!batch) return false;
  await deliveryQueue.wake(batch.subscriptionIds.map((subscriptionId) => ({ storeId, subscriptionId })));
  return !batch.isLast;
};
