import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { AttemptRecord, DeliveryRepository, HealthRecord } from '../../../src/domain/ports/webhooks/delivery-repository.ts';
import { classOf, firstAttemptOf, latencyOf } from '../../../src/domain/insight/figures.ts';
import { deliveryErrorOf } from '../../../src/domain/webhooks/delivery.ts';
import type { NewEvent } from '../../../src/domain/webhooks/event.ts';
import { exhaustedEvents, subscriptionEvents, type SubscriptionState } from '../../../src/domain/webhooks/operational-event.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { countDelivery, PLACES } from '../insight/figure-tables.ts';
import { attemptsOf, deliveriesOf, endedDelivery, ofStore, subscriptionsOf } from './delivery-tables.ts';
import { eventRepository } from './event-repository.ts';
import type { MemoryState } from '../state.ts';

const STATUS = { delivered: 'Delivered', retry: 'Pending', failed: 'Failed' } as const;

export const deliverySettling = (
  state: MemoryState,
  { clock, ids }: { clock: Clock; ids: Ids },
): Pick<DeliveryRepository, 'settle'> => {
  /** The subscription that had a success by it; null for anything else. */
  const record = (attempt: AttemptRecord): string | null => {
    const { storeId, deliveryId, verdict, startedAt, waitedMs, ...seen } = attempt;
    const row = ofStore(deliveriesOf(state), storeId, deliveryId);
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
    const first = waitedMs === null ? [] : [PLACES.firstAttempt + firstAttemptOf(waitedMs)];
    const places = [PLACES.attempts + classOf(seen.status), PLACES.latency + latencyOf(seen.durationMs), ...first];
    countDelivery(state, clock.now(), { ...row, status: STATUS[verdict.kind] }, places);
    attemptsOf(state).set(deliveryId, [...(attemptsOf(state).get(deliveryId) ?? []), { ...seen, startedAt: isoTime(startedAt) }]);
    return verdict.kind === 'delivered' ? row.subscriptionId : null;
  };

  /**
   * `failingSince` stays that of the first failure; one that came after a success of the same batch
   * is a first one again.
   */
  const note = (health: HealthRecord, succeeded: ReadonlySet<string | null>): void => {
    const row = ofStore(subscriptionsOf(state), health.storeId, health.subscriptionId);
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
    if (row)
      subscriptionsOf(state).set(row.id, {
        ...row,
        isActive: false,
        updatedAt: isoTime(clock.now()),
        deactivatedAt: isoTime(clock.now()),
      });
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

  const stateOf = ({ storeId, subscriptionId: id }: SubscriptionKey): SubscriptionState[] => {
    const row = ofStore(subscriptionsOf(state), storeId, id);
    if (!row) return [];
    const { installationId, url, isActive, failingSince = null, probeAt = null } = row;
    const shown = { id, storeId, installationId, url, isActive, isBreakerOpen: probeAt !== null };
    return [{ ...shown, failingSince: failingSince === null ? null : isoTime(failingSince) }];
  };
  const endedBy = ({ storeId, deliveryId, number, verdict }: AttemptRecord): NewEvent[] => {
    const row = ofStore(deliveriesOf(state), storeId, deliveryId);
    if (verdict.kind !== 'failed' || row?.nextAttemptAt == null || row.attempts !== number - 1) return [];
    return [...exhaustedEvents(endedDelivery(state, { ...row, attempts: number }))];
  };

  return {
    settle: async (attempts, health) => {
      const before = health.flatMap(stateOf);
      const failed = attempts.map((attempt) => ({ attempt, events: endedBy(attempt) }));
      const succeeded = new Set(attempts.map(record));
      for (const one of health) note(one, succeeded);
      const changes = before.flatMap((row) =>
        stateOf({ ...row, subscriptionId: row.id }).flatMap((after) => subscriptionEvents(row, after)),
      );
      const ends = failed.flatMap(({ attempt, events }) =>
        events.map((event) => ({ ...event, data: { ...event.data, error: deliveryErrorOf(attempt) } })),
      );
      const caused = [...changes, ...ends];
      await eventRepository(state, { clock, ids }, null).append(caused);
      return [...new Set(caused.map(({ storeId }) => storeId))];
    },
  };
};
