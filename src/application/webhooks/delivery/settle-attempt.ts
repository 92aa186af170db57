import type { DeliveryQueue } from '../../../domain/ports/webhooks/delivery-queue.ts';
import type { AttemptRecord, DeliveryRepository, HealthRecord } from '../../../domain/ports/webhooks/delivery-repository.ts';

/** An attempt that has ended, and its subscription's health if the attempt changed it. */
export interface SettledAttempt {
  readonly attempt: AttemptRecord;
  readonly health: HealthRecord | null;
}

/** Resolves once the attempt is recorded. */
export type SettleAttempt = (settlement: SettledAttempt) => Promise<void>;

/** Records an attempt of this worker, and requests the fan-out of the events that it causes. */
export const settleAttempt =
  ({ settle }: Pick<DeliveryRepository, 'settle'>, { fanOut }: Pick<DeliveryQueue, 'fanOut'>): SettleAttempt =>
  async ({ attempt, health }) => {
    const storeIds = await settle([attempt], health === null ? [] : [health]);
    // The sweep finds the events of a request that is lost.
    for (const storeId of storeIds) void fanOut(storeId);
  };
