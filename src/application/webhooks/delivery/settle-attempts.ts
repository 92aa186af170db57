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

/** The attempts that are written together: of all stores, or of one, where one that is silent would keep the others waiting. */
type Lane = StoreKey | 'all';

/**
 * Records the attempts of this worker together, lane by lane. While one batch of a lane is written, the
 * attempts that end gather for its next batch. So a single attempt does not wait, and many cost one
 * statement. Requests the fan-out of the events that they cause.
 */
export const settleAttempts = (
  { settle, isOneServer }: Pick<DeliveryRepository, 'settle' | 'isOneServer'>,
  { fanOut }: Pick<DeliveryQueue, 'fanOut'>,
): SettleAttempt => {
  /** Attempts queued until the current batch is written. */
  const lanes = new Map<Lane, Waiting[]>();

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const storeIds = await settle(
        batch.map(({ settlement }) => settlement.attempt),
        latest(batch),
      );
      // The sweep finds the events of a request that is lost.
      for (const storeId of storeIds) void fanOut(storeId);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const write = async (lane: Lane, waiting: Waiting[]): Promise<void> => {
    while (waiting.length > 0) await writeBatch(waiting.splice(0, MAX_BATCH));
    lanes.delete(lane);
  };

  const place = (item: Waiting, lane: Lane): void => {
    const waiting = lanes.get(lane);
    if (waiting) {
      waiting.push(item);
      return;
    }
    const started = [item];
    lanes.set(lane, started);
    void write(lane, started);
  };

  let laneOf: ((storeId: string) => Lane) | undefined;
  /** Attempts that ended before their place is known. */
  let unplaced: Waiting[] = [];
  const placeFirst = async (): Promise<void> => {
    try {
      laneOf = (await isOneServer()) ? () => 'all' : (storeId) => storeKey(storeId);
      for (const item of unplaced) place(item, laneOf(item.settlement.attempt.storeId));
    } catch (error) {
      for (const { reject } of unplaced) reject(error);
    }
    unplaced = [];
  };

  return (settlement) =>
    new Promise((resolve, reject) => {
      const item = { settlement, resolve, reject };
      if (laneOf) place(item, laneOf(settlement.attempt.storeId));
      else if (unplaced.push(item) === 1) void placeFirst();
    });
};
