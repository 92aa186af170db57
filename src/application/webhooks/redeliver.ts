import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { DeliveryFilter } from '../../domain/ports/webhooks/delivery-log.ts';
import type { RedeliveryKey, RedeliveryCount } from '../../domain/ports/webhooks/redelivery-repository.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { WHY_NOT_SENDABLE } from '../../domain/webhooks/why-not-sendable.ts';

/**
 * Sends a delivery again, with the same id and body and a new schedule
 * (docs/specification/webhooks.md, "Log"). For an app, the delivery of another installation does
 * not exist.
 */
export const redeliver =
  ({ deliveryLog, deliveryQueue, locator }: Pick<Ports, 'deliveryLog' | 'deliveryQueue' | 'locator'>) =>
  async (
    deliveryId: string,
    caller?: Pick<Caller, 'storeId' | 'installationId'>,
  ): Promise<Result<null, 'not_found' | 'conflict'>> => {
    const storeId = caller ? caller.storeId : await locator.storeOf('delivery', deliveryId);
    if (storeId === null) return notFound('Delivery');
    if (caller && (await deliveryLog.get(storeId, deliveryId))?.installationId !== caller.installationId) {
      return notFound('Delivery');
    }
    const found = await deliveryLog.redeliver(storeId, deliveryId);
    if (found === null) return notFound('Delivery');
    if (typeof found === 'string') return refuse('conflict', WHY_NOT_SENDABLE[found]);
    await deliveryQueue.wake([{ storeId, ...found }]);
    return ok(null);
  };

const BATCH = 1_000;

/**
 * Sends again all deliveries of a subscription that failed and were created since then. `since` is
 * in milliseconds since the epoch.
 */
export const redeliverFailed =
  ({ deliveryLog, deliveryQueue, locator }: Pick<Ports, 'deliveryLog' | 'deliveryQueue' | 'locator'>) =>
  async (subscriptionId: string, since: number): Promise<Result<{ readonly deliveries: number }, 'not_found' | 'conflict'>> => {
    const storeId = await locator.storeOf('subscription', subscriptionId);
    if (storeId === null) return notFound('Subscription');
    const subscription = { storeId, subscriptionId };
    let deliveries = 0;
    for (;;) {
      const batch = await deliveryLog.redeliverFailed(subscription, since, BATCH);
      if (batch === null) return notFound('Subscription');
      if (batch === 'gone') return refuse('conflict', WHY_NOT_SENDABLE.deactivated);
      deliveries += batch;
      if (batch < BATCH) break;
    }
    if (deliveries > 0) await deliveryQueue.wake([subscription]);
    return ok({ deliveries });
  };

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
  const redeliverAll = redeliverMatching(ports);
  return async ({ storeId, installationId }: Caller, filter: DeliveryFilter, dryRun: boolean) =>
    isEmpty(filter) ? NO_FILTER : redeliverAll(storeId, { ...filter, installationId }, dryRun);
};

/** Continues the redeliveries by filter that are not finished, also after a crash. */
export const sweepRedeliveries = (ports: Pick<Ports, 'redeliveries' | 'deliveryQueue'>) => async (): Promise<void> => {
  for (const request of await ports.redeliveries.open()) while (await continueRedelivery(ports, request));
};
