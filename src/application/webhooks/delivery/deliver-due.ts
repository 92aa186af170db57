import type { SubscriptionKey } from '../../../domain/webhooks/subscription.ts';
import type { SubscriptionHealth } from '../../../domain/webhooks/subscription-health.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { Lease } from '../../../domain/ports/work-lease.ts';
import { Breaker } from './breaker.ts';
import { DeliveryBatch } from './delivery-batch.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import { runTurn } from './run-turn.ts';
import { settleAttempt } from './settle-attempt.ts';

export type { DeliverySettings, RecordedAttempt } from './delivery-settings.ts';

type DeliverPorts = Pick<Ports, 'clock' | 'deliveries' | 'deliveryQueue' | 'secrets' | 'webhookSender' | 'workLeases'>;

/** When another worker has the lease, look again after this time. */
const BUSY_SECONDS = 1;

/**
 * Sends a subscription's due deliveries in one bounded turn, and requests the next turn. At least
 * once: when a worker dies before it recorded an attempt, the delivery is sent again.
 */
export const deliverDue = (ports: DeliverPorts, settings: DeliverySettings) => {
  const { deliveries, deliveryQueue, workLeases } = ports;
  const delivering = { ports, settings, settle: settleAttempt(deliveries, deliveryQueue) };

  const requestNext = async (subscription: SubscriptionKey, leastSeconds: number): Promise<void> => {
    const seconds = await deliveries.nextDueSeconds(subscription);
    if (seconds === null) return;
    const wait = Math.max(seconds, leastSeconds);
    await (wait <= 0 ? deliveryQueue.wake([subscription]) : deliveryQueue.wakeLater(subscription, wait));
  };

  /**
   * The subscription's health after the turn. Null when nothing may be sent now: what changes that
   * requests a turn.
   */
  const deliver = async (subscription: SubscriptionKey, lease: Lease): Promise<SubscriptionHealth | null> => {
    const batch = new DeliveryBatch(ports, subscription);
    // The look-up takes longer, so it leaves first.
    const [, target] = await Promise.all([batch.refill(), deliveries.target(subscription)]);
    if (!target || target.held || target.secrets.length === 0) return null;
    const breaker = new Breaker(target);
    await runTurn(delivering, { target, lease, batch, breaker });
    return breaker.health;
  };

  return async (subscription: SubscriptionKey): Promise<void> => {
    if (settings.stopping.aborted) return;
    const { storeId, subscriptionId: id } = subscription;
    const lease = await workLeases.acquire('deliveries', { storeId, id });
    if (!lease) {
      await requestNext(subscription, BUSY_SECONDS);
      return;
    }
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
    const health = await deliver(subscription, lease).finally(() => lease.release());
    if (health) await requestNext(subscription, health.probeInSeconds ?? 0);
  };
};
