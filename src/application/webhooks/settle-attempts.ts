import type { AttemptRecord, DeliveryRepository, HealthRecord } from '../../domain/ports/delivery-repository.ts';

/** An attempt that has ended, and its subscription's health where the attempt changed it. */
export interface Settlement {
  readonly attempt: AttemptRecord;
  readonly health: HealthRecord | null;
}

/** Resolves once the attempt is recorded. */
export type SettleAttempt = (settlement: Settlement) => Promise<void>;

interface Waiting {
  readonly settlement: Settlement;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/** The last word on each subscription counts. */
const latest = (batch: readonly Waiting[]): HealthRecord[] => {
  const bySubscription = new Map<string, HealthRecord>();
  for (const { settlement } of batch) {
    if (settlement.health) bySubscription.set(settlement.health.subscriptionId, settlement.health);
  }
  return [...bySubscription.values()];
};

/**
 * Records attempts of all subscriptions of this worker together: while one batch is written, what ends meanwhile gathers for the next.
 * So a single attempt waits for nothing, and many cost one statement.
 */
export const settleAttempts = ({ settle }: Pick<DeliveryRepository, 'settle'>): SettleAttempt => {
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
        () => {
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
