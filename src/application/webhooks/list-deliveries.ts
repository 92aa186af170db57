import type { DeliveryFilter, DeliveryLog, DeliveryPage } from '../../domain/ports/delivery-log.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** A page of a store's deliveries, newest first. */
export const listDeliveries =
  ({ deliveryLog }: Pick<Ports, 'deliveryLog'>) =>
  async (
    storeId: string,
    filter: DeliveryFilter,
    page: Parameters<DeliveryLog['list']>[2],
  ): Promise<Result<DeliveryPage, 'not_found'>> => {
    const deliveries = await deliveryLog.list(storeId, filter, page);
    return deliveries ? ok(deliveries) : notFound('Store');
  };
