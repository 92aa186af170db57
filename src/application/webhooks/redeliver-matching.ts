import type { DeliveryFilter } from '../../domain/ports/delivery-log.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { continueRedelivery } from './continue-redelivery.ts';

interface Matching {
  readonly deliveries: number;
  readonly isComplete: boolean;
}

/**
 * Sends again all deliveries of the store that match the filter at this moment. The first batch goes
 * at once, and the worker sends the others. `dryRun` only counts.
 */
export const redeliverMatching =
  ({ redeliveries, deliveryQueue }: Pick<Ports, 'redeliveries' | 'deliveryQueue'>) =>
  async (storeId: string, filter: DeliveryFilter, dryRun: boolean): Promise<Result<Matching, 'invalid' | 'not_found'>> => {
    if (Object.values(filter).every((value) => value === undefined)) {
      return refuse('invalid', 'The request must have at least one filter, so that not the whole log is sent again.');
    }
    const counted = await redeliveries.count(storeId, filter);
    if (!counted) return notFound('Store');
    const { askedAt, ...matching } = counted;
    if (!dryRun && (matching.deliveries > 0 || !matching.isComplete)) {
      const id = await redeliveries.add(storeId, filter, askedAt);
      await continueRedelivery({ redeliveries, deliveryQueue }, id);
    }
    return ok(matching);
  };
