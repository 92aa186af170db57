import type { Ports } from '../../domain/ports/index.ts';

const BATCH = 1_000;

/**
 * Sends one batch of a redelivery by filter. False when there is nothing left to send, or another
 * worker is at it.
 */
export const continueRedelivery = async (
  { redeliveries, deliveryQueue }: Pick<Ports, 'redeliveries' | 'deliveryQueue'>,
  id: string,
): Promise<boolean> => {
  const batch = await redeliveries.next(id, BATCH);
  if (!batch) return false;
  await deliveryQueue.wake(batch.subscriptionIds);
  return !batch.isLast;
};
