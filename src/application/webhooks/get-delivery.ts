import type { Attempt, Delivery } from '../../domain/ports/delivery-log.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/**
 * A delivery with its attempts, in order. For an app, the delivery of another installation does not
 * exist.
 */
export const getDelivery =
  ({ deliveryLog }: Pick<Ports, 'deliveryLog'>) =>
  async (
    id: string,
    caller?: Pick<Caller, 'installationId'>,
  ): Promise<Result<Delivery & { readonly log: readonly Attempt[] }, 'not_found'>> => {
    const delivery = await deliveryLog.get(id);
    const isTheirs = caller === undefined || delivery?.installationId === caller.installationId;
    return delivery && isTheirs ? ok(delivery) : notFound('Delivery');
  };
