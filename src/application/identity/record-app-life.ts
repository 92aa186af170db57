import type { Ports } from '../../domain/ports/index.ts';
import { Unavailable } from '../../domain/unavailable.ts';

/** Stores per look. */
const BATCH = 100;

export type LifePorts = Pick<Ports, 'appLife' | 'deliveryQueue'>;

/** Returns true when there may be more. */
const recordSome = async ({ appLife, deliveryQueue }: LifePorts, platformAppId?: string): Promise<boolean> => {
  const stores = await appLife.record(BATCH, platformAppId);
  for (const storeId of stores) await deliveryQueue.fanOut(storeId);
  return stores.length === BATCH;
};

/**
 * Records what has become of installations of platform apps, and requests that it is sent. It compares what is with what the last
 * event said, so nothing is lost when a process ends between a change and its event.
 */
export const recordAppLife = (ports: LifePorts) => async (): Promise<void> => {
  while (await recordSome(ports));
};

/**
 * Reports one app's change after its commit, so that the first stores do not wait for the sweep.
 * Failures are left to the sweep, and the change is answered.
 */
export const tellAppLife =
  (ports: LifePorts) =>
  async (platformAppId: string | null): Promise<void> => {
    if (platformAppId === null) return;
    await recordSome(ports, platformAppId).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
    });
  };
