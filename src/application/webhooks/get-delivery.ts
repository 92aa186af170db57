import type { Attempt, Delivery } from '../../domain/ports/delivery-log.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** A delivery with its attempts, in order. */
export const getDelivery =
  ({ deliveryLog }: Pick<Ports, 'deliveryLog'>) =>
  async (id: string): Promise<Result<Delivery & { readonly log: readonly Attempt[] }, 'not_found'>> => {
    const delivery = await deliveryLog.get(id);
    return delivery ? ok(delivery) : notFound('Delivery');
  };
