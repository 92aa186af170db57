import type { Cause } from '../../../domain/cause.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { AttemptRecord, DueDelivery } from '../../../domain/ports/webhooks/delivery-repository.ts';
import type { Lease } from '../../../domain/ports/work-lease.ts';
import { poll } from '../../../domain/retry.ts';
import { notFound, ok, refuse, type Refusal, type Result } from '../../../domain/result.ts';
import type { SubscriptionKey } from '../../../domain/webhooks/subscription.ts';
import { whyNotTried } from '../../../domain/webhooks/why-not-tried.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { Breaker } from './breaker.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import { settleAttempt } from './settle-attempt.ts';

type TryPorts = Pick<
  Ports,
  'clock' | 'deliveries' | 'deliveryLog' | 'deliveryQueue' | 'secrets' | 'subscriptions' | 'webhookSender' | 'workLeases'
>;

/** For how long the end of a turn of a worker is waited for, and how often it is looked at. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 50;

const BUSY = refuse('conflict', 'An attempt is being made now. Its outcome is among the deliveries of the subscription.');
const CHANGED = refuse('conflict', 'The subscription was changed meanwhile, and no attempt was made. Try again.');

/**
 * Makes one attempt at a subscription now: at the delivery that is due first, or at a ping when none
 * waits. An open breaker does not forbid it. It counts as any other attempt, and its success closes
 * the breaker and has the others sent.
 */
export const tryNow = (ports: TryPorts, settings: Pick<DeliverySettings, 'schedule' | 'onAttempt'>) => {
  const { clock, deliveries, deliveryLog, deliveryQueue, subscriptions, workLeases } = ports;
  const delivering = { ports, settings, settle: settleAttempt(deliveries, deliveryQueue) };

  /** The lease, once no worker has it. */
  const lease = ({ storeId, subscriptionId: id }: SubscriptionKey): Promise<Lease | null> => {
    const until = clock.now() + PATIENCE_MS;
    const take = () => workLeases.acquire('deliveries', { storeId, id });
    return poll(take, { pause: () => clock.pause(LOOK_MS), isOver: () => clock.now() >= until });
  };

  const firstOrPing = async (cause: Cause, subscription: SubscriptionKey): Promise<DueDelivery | null> => {
    const waiting = await deliveries.first(subscription);
    if (waiting !== null || !(await deliveryLog.ping(cause, subscription))) return waiting;
    return deliveries.first(subscription);
  };

  const attempt = async (cause: Cause, subscription: SubscriptionKey, held: Lease): Promise<AttemptRecord | null> => {
    const [target, delivery] = await Promise.all([deliveries.target(subscription), firstOrPing(cause, subscription)]);
    if (!target || target.held || target.secrets.length === 0 || !delivery || !(await held.mayBegin())) return null;
    const turn = { target, lease: held, batch: { settled: () => undefined }, breaker: new Breaker(target) };
    return attemptDelivery(delivering, turn)({ delivery, takenAt: clock.now() });
  };

  const refusalOf = async ({ storeId, subscriptionId }: SubscriptionKey): Promise<Refusal<'not_found' | 'conflict'> | null> => {
    const found = await subscriptions.find(storeId, subscriptionId);
    if (found === null) return notFound('Subscription');
    const because = whyNotTried(found.health.notDeliverableBecause);
    return because === null ? null : refuse('conflict', because);
  };

  return async (cause: Cause, subscription: SubscriptionKey): Promise<Result<AttemptRecord, 'not_found' | 'conflict'>> => {
    const refusal = await refusalOf(subscription);
    if (refusal) return refusal;
    const held = await lease(subscription);
    if (held === null) return (await refusalOf(subscription)) ?? BUSY;
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
    const made = await attempt(cause, subscription, held).finally(() => held.release());
    await deliveryQueue.wake([subscription]);
    return made === null ? ((await refusalOf(subscription)) ?? CHANGED) : ok(made);
  };
};
