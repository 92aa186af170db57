import type { Caller } from '../../domain/identity/caller.ts';
import type { DeliveryFilter } from '../../domain/ports/webhooks/delivery-log.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import type { RedeliveryCount } from '../../domain/ports/webhooks/redelivery-repository.ts';
import { continueRedelivery } from './continue-redelivery.ts';

interface Matching extends Pick<RedeliveryCount, 'held' | 'refused'> {
  /** Id of the redelivery. Null for a dry run, or when nothing matches. */
  readonly id: string | null;
  readonly deliveries: number;
  readonly isComplete: boolean;
}

const NO_FILTER = refuse('invalid', 'At least one filter is required, so that the whole log is not sent again.');
const isEmpty = (filter: DeliveryFilter): boolean => Object.values(filter).every((value) => value === undefined);

/**
 * Sends again all deliveries of the store that match the filter at this moment. The first batch goes
 * at once, and the worker sends the others. `dryRun` only counts.
 */
export const redeliverMatching =
  ({ redeliveries, deliveryQueue }: Pick<Ports, 'redeliveries' | 'deliveryQueue'>) =>
  async (storeId: string, filter: DeliveryFilter, dryRun: boolean): Promise<Result<Matching, 'invalid' | 'not_found'>> => {
    if (isEmpty(filter)) return NO_FILTER;
    const counted = await redeliveries.count(storeId, filter);
    if (!counted) return notFound('Store');
    const { askedAt, matching, ...shown } = counted;
    const { deliveries, isComplete } = shown;
    if (dryRun || (deliveries === 0 && isComplete)) return ok({ id: null, ...shown });
    const id = await redeliveries.add(storeId, filter, { askedAt, total: isComplete ? matching : null });
    await continueRedelivery({ redeliveries, deliveryQueue }, { storeId, id });
    return ok({ id, ...shown });
  };

/** Redelivers an app's own deliveries only. */
export const redeliverOwnMatching = (ports: Pick<Ports, 'redeliveries' | 'deliveryQueue'>) => {
  const redeliver = redeliverMatching(ports);
  return async ({ storeId, installationId }: Caller, filter: DeliveryFilter, dryRun: boolean) =>
    isEmpty(filter) ? NO_FILTER : redeliver(storeId, { ...filter, installationId }, dryRun);
};
