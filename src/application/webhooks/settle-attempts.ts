import type { DeliveryQueue } from '../../domain/ports/delivery-queue.ts';
import type { AttemptRecord, DeliveryRepository, HealthRecord } from '../../domain/ports/delivery-repository.ts';

/** An attempt that has ended, and its subscription's health if the attempt changed it. */
export interface Settlement {
  readonly attempt: AttemptRecord;
  readonly health: HealthRecord | null;
  /** Called once the attempt is recorded, or with the error when it cannot be. */
  readonly onSettled: (failure: Failure | null) => void;
}

export interface Failure {
  readonly error: unknown;
}

/**
 * Not a promise: hundreds of attempts wait for their record at once, and what each of them keeps is
 * copied by every garbage collection.
 */
export type SettleAttempt = (settlement: Settlement) => void;

const MAX_BATCH = 500;

/** The latest health of each subscription is written. */
const latest = (batch: readonly Settlement[]): HealthRecord[] => {
  const bySubscription = new Map<string, HealthRecord>();
  for (const { health } of batch) if (health) bySubscription.set(health.subscriptionId, health);
  return [...bySubscription.values()];
};

/**
 * Records attempts of all subscriptions of this worker together. While one batch is written, the
 * attempts that end gather for the next batch. So a single attempt does not wait, and many cost one
 * statement. Requests the fan-out of the events that they cause.
 */
export const settleAttempts = (
  { settle }: Pick<DeliveryRepository, 'settle'>,
  { fanOut }: Pick<DeliveryQueue, 'fanOut'>,
): SettleAttempt => {
  let waiting: Settlement[] = [];
  let writing = false;

  const write = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await settle(
        batch.map(({ attempt }) => attempt),
        latest(batch),
      ).then(
        (storeIds) => {
          // The sweep finds the events of a request that is lost.
          for (const storeId of storeIds) void fanOut(storeId);
          for (const { onSettled } of batch) onSettled(null);
        },
        (error: unknown) => {
          for (const { onSettled } of batch) onSettled({ error });
        },
      );
    }
    writing = false;
  };

  return (settlement) => {
    waiting.push(settlement);
    void write();
  };
};
