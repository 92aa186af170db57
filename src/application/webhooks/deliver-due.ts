import type { Ports } from '../../domain/ports/index.ts';
import { BATCH, DeliverySlice } from './delivery-slice.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import type { SlicePorts } from './delivery-slice.ts';
import { settleAttempts } from './settle-attempts.ts';

/** Somebody else has the subscription: ask again after so long. */
const BUSY_SECONDS = 1;

/**
 * Sends a subscription's due deliveries: takes them in batches, keeps so many in flight, records what ended in batches, and yields after
 * a bounded slice. At least once: a delivery whose record was lost with its worker is sent again.
 */
export const deliverDue = (ports: SlicePorts & Pick<Ports, 'workLeases' | 'deliveryQueue'>, settings: DeliverySettings) => {
  const { deliveries, workLeases, deliveryQueue } = ports;
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
    const lease = await workLeases.acquire('deliveries', subscriptionId);
    if (!lease) {
      await planNext(subscriptionId, BUSY_SECONDS);
      return;
    }
    let slice: DeliverySlice;
    try {
      const [target, first] = await Promise.all([deliveries.target(subscriptionId), deliveries.due(subscriptionId, BATCH, [])]);
      // Nothing to do here: what resumes the subscription requests it again.
      if (!target || target.held || target.secrets.length === 0) return;
      slice = new DeliverySlice(ports, settings, settle, lease, target, first);
      await slice.run();
    } finally {
      await lease.release();
    }
    await planNext(subscriptionId, slice.health.probeInSeconds ?? 0);
  };
};
