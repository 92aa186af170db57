import type { HealthRecord } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import { storeKey, type StoreKey } from '../../../../domain/store-key.ts';
import type { Settlement } from './operational-events.ts';

interface Waiting {
  readonly settlement: Settlement;
  readonly resolve: (storeIds: readonly string[]) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/** The last of each subscription. A 410 deactivates it, also if another attempt ended after that. */
const latest = (batch: readonly Waiting[]): HealthRecord[] => {
  const bySubscription = new Map<StoreKey, HealthRecord>();
  for (const health of batch.flatMap(({ settlement }) => settlement.health)) {
    const key = storeKey(health.storeId, health.subscriptionId);
    const deactivates = health.deactivates || (bySubscription.get(key)?.deactivates ?? false);
    bySubscription.set(key, { ...health, deactivates });
  }
  return [...bySubscription.values()];
};

/**
 * Writes settlements together: those of all stores, or those of one, where a store that is silent would keep the others waiting. While
 * one batch of a lane is written, the next one gathers behind it. So a single attempt does not wait, and many cost one statement. The
 * first of a batch gets the stores with events, since one request for their fan-out suffices.
 */
export const inLanes = (write: (settlement: Settlement) => Promise<readonly string[]>) => {
  const lanes = new Map<StoreKey | 'all', Waiting[]>();

  const writeBatch = async (storeId: string | null, batch: readonly Waiting[]): Promise<void> => {
    try {
      const storeIds = await write({
        storeId,
        attempts: batch.flatMap(({ settlement }) => settlement.attempts),
        health: latest(batch),
      });
      for (const [at, { resolve }] of batch.entries()) resolve(at === 0 ? storeIds : []);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return (settlement: Settlement): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const { storeId } = settlement;
      const lane = storeId === null ? 'all' : storeKey(storeId);
      const item = { settlement, resolve, reject };
      const waiting = lanes.get(lane);
      if (waiting) {
        waiting.push(item);
        return;
      }
      const started = [item];
      lanes.set(lane, started);
      const run = async (): Promise<void> => {
        while (started.length > 0) await writeBatch(storeId, started.splice(0, MAX_BATCH));
        lanes.delete(lane);
      };
      void run();
    });
};
