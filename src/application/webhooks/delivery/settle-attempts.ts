import type { DeliveryQueue } from '../../../domain/ports/webhooks/delivery-queue.ts';
import type { AttemptRecord, DeliveryRepository, HealthRecord } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { storeKey, type StoreKey } from '../../../domain/store-key.ts';

/** An attempt that has ended, and its subscription's health if the attempt changed it. */
export interface SettledAttempt {
  readonly attempt: AttemptRecord;
  readonly health: HealthRecord | null;
}

/** Resolves once the attempt is recorded. */
export type SettleAttempt = (settlement: SettledAttempt) => Promise<void>;

interface Waiting {
  readonly settlement: SettledAttempt;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/** The last of each subscription. A 410 deactivates it, also if another attempt ended after that. */
const latest = (batch: readonly Waiting[]): HealthRecord[] => {
  const bySubscription = new Map<StoreKey, HealthRecord>();
  for (const { health } of batch.map(({ settlement }) => settlement)) {
    if (!health) continue;
    const key = storeKey(health.storeId, health.subscriptionId);
    const deactivates = health.deactivates || (bySubscription.get(key)?.deactivates ?? false);
    bySubscription.set(key, { ...health, deactivates });
  }
  return [...bySubscription.values()];
};

/**
 * Records attempts of all stores and subscriptions of this worker together. While one batch is written, the
 * attempts that end gather for the next batch. So a single attempt does not wait, and many cost one
 * statement. Requests the fan-out of the events that they cause.
 */
export const settleAttempts = (
  { settle }: Pick<DeliveryRepository, 'settle'>,
  { fanOut }: Pick<DeliveryQueue, 'fanOut'>,
): SettleAttempt => {
  let waiting: Waiting[] = [];
  let writing = false;

  const write = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await settle(
        batch.map(({ settlement }) => settlement.attempt),
        latest(batch),
      ).then(
        (storeIds) => {
          // The sweep finds the events of a request that is lost.
          for (const storeId of storeIds) void fanOut(storeId);
          for (const { resolve } of batch) resolve();
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      );
    }
    writing = false;
  };

  return (settlement) =>
    new Promise((resolve, reject) => {
      waiting.push({ settlement, resolve, reject });
      void write();
    });
};
