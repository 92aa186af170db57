import type { Ports } from '../../domain/ports/index.ts';
import { BATCH, DeliverySlice } from './delivery-slice.ts';
import type { DeliverySettings, SlicePorts } from './delivery-slice.ts';
import { settleAttempts } from './settle-attempts.ts';

/** Somebody else has the subscription: ask again after so long. */
const BUSY_SECONDS = 1;

/**
 * Sends a subscription's due deliveries: takes them in batches, keeps so many in flight, records what ended in batches, and yields after
 * a bounded slice. At least once: a delivery whose record was lost with its worker is sent again.
 */
export const deliverDue = (ports: SlicePorts & Pick<Ports, 'workFence' | 'deliveryQueue'>, settings: DeliverySettings) => {
  const { deliveries, workFence, deliveryQueue } = ports;
  const settle = settleAttempts(deliveries);

  /** Asks for the next turn, when there is to be one. */
  const planNext = async (subscriptionId: string, leastSeconds: number): Promise<void> => {
    const seconds = await deliveries.nextDueSeconds(subscriptionId);
    if (seconds === null) return;
    const wait = Math.max(seconds, leastSeconds);
    await (wait <= 0 ? deliveryQueue.wake([subscriptionId]) : deliveryQueue.wakeLater(subscriptionId, wait));
  };

  return async (subscriptionId: string): Promise<void> => {
    if (settings.stopping.aborted) return;
    const hold = await workFence.hold(subscriptionId);
    if (!hold) {
      await planNext(subscriptionId, BUSY_SECONDS);
      return;
    }
    let slice: DeliverySlice;
    try {
      const [target, first] = await Promise.all([deliveries.target(subscriptionId), deliveries.due(subscriptionId, BATCH, [])]);
      // Nothing to do here: whatever lifts the hold asks again.
      if (!target || target.held || target.secrets.length === 0) return;
      slice = new DeliverySlice(ports, settings, settle, hold, target, first);
      await slice.run();
    } finally {
      await hold.release();
    }
    await planNext(subscriptionId, slice.health.probeInSeconds ?? 0);
  };
};
