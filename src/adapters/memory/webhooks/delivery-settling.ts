import type { Clock } from '../../../domain/ports/clock.ts';
import type { AttemptRecord, DeliveryRepository, HealthRecord } from '../../../domain/ports/delivery-repository.ts';
import { classOf, latencyOf } from '../../../domain/insight/figures.ts';
import { deliveryErrorOf } from '../../../domain/webhooks/delivery.ts';
import { isoTime } from '../../../domain/time.ts';
import { countDelivery, PLACES } from '../insight/figure-tables.ts';
import { attemptsOf, deliveriesOf, subscriptionsOf } from './delivery-tables.ts';
import type { MemoryState } from '../state.ts';

const STATUS = { delivered: 'Delivered', retry: 'Pending', failed: 'Failed' } as const;

export const deliverySettling = (state: MemoryState, clock: Clock): Pick<DeliveryRepository, 'settle'> => {
  /** The subscription that had a success by it; null for anything else. */
  const record = (attempt: AttemptRecord): string | null => {
    const { deliveryId, verdict, startedAt, ...seen } = attempt;
    const row = deliveriesOf(state).get(deliveryId);
    if (row?.status !== 'Pending' || row.attempts !== seen.number - 1) return null;
    const nextAttemptAt = verdict.kind === 'retry' ? clock.now() + verdict.inSeconds * 1000 : null;
    const counts = { attempts: seen.number, tries: row.tries + 1, updatedAt: clock.now() };
    deliveriesOf(state).set(deliveryId, {
      ...row,
      ...counts,
      status: STATUS[verdict.kind],
      error: deliveryErrorOf(seen),
      nextAttemptAt,
    });
    const places = [PLACES.attempts + classOf(seen.status), PLACES.latency + latencyOf(seen.durationMs)];
    countDelivery(state, clock.now(), { ...row, status: STATUS[verdict.kind] }, places);
    attemptsOf(state).set(deliveryId, [...(attemptsOf(state).get(deliveryId) ?? []), { ...seen, startedAt: isoTime(startedAt) }]);
    return verdict.kind === 'delivered' ? row.subscriptionId : null;
  };

  /**
   * `failingSince` stays that of the first failure; one that came after a success of the same batch
   * is a first one again.
   */
  const note = (health: HealthRecord, succeeded: ReadonlySet<string | null>): void => {
    const row = subscriptionsOf(state).get(health.subscriptionId);
    if (!row) return;
    const { failures, failingForSeconds, probeInSeconds, deactivates } = health;
    const since = succeeded.has(row.id) ? null : (row.failingSince ?? null);
    subscriptionsOf(state).set(row.id, {
      ...row,
      failures,
      failingSince: failingForSeconds === null ? null : (since ?? clock.now() - failingForSeconds * 1000),
      probeAt: probeInSeconds === null ? null : clock.now() + probeInSeconds * 1000,
    });
    if (deactivates) deactivate(row.id);
  };

  const deactivate = (subscriptionId: string): void => {
    const row = subscriptionsOf(state).get(subscriptionId);
    if (row) subscriptionsOf(state).set(row.id, { ...row, isActive: false, updatedAt: isoTime(clock.now()) });
    for (const delivery of deliveriesOf(state).values()) {
      if (delivery.subscriptionId !== subscriptionId || delivery.nextAttemptAt === null) continue;
      countDelivery(state, clock.now(), { ...delivery, status: 'Failed' });
      deliveriesOf(state).set(delivery.id, {
        ...delivery,
        status: 'Failed',
        error: delivery.error ?? 'deactivated',
        nextAttemptAt: null,
        updatedAt: clock.now(),
      });
    }
  };

  return {
    settle: async (attempts, health) => {
      const succeeded = new Set(attempts.map(record));
      for (const one of health) note(one, succeeded);
    },
  };
};
