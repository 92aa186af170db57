import type { Page, PageOf } from '../../domain/page.ts';
import type { Delivery, DeliveryFilter } from '../../domain/ports/delivery-log.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** A page of a store's deliveries. */
export const listDeliveries =
  ({ deliveryLog }: Pick<Ports, 'deliveryLog'>) =>
  async (storeId: string, filter: DeliveryFilter, page: Page): Promise<Result<PageOf<Delivery>, 'not_found'>> => {
    const deliveries = await deliveryLog.list(storeId, filter, page);
    return deliveries ? ok(deliveries) : notFound('Store');
  };
