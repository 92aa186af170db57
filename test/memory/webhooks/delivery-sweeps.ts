import { countDelivery } from '../insight/figure-tables.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { exhaustedEvents } from '../../../src/domain/webhooks/operational-event.ts';
import type { DeliveryRepository } from '../../../src/domain/ports/webhooks/delivery-repository.ts';
import {
  attemptsOf,
  deliveriesOf,
  endedDelivery,
  eventOf,
  isHeld,
  isNext,
  isPaused,
  subscriptionsOf,
  type DeliveryRow,
  type SubscriptionRow,
} from './delivery-tables.ts';
import type { SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import { placesOf } from './event-feed.ts';
import { eventRepository, eventsOf } from './event-repository.ts';
import type { MemoryState } from '../state.ts';

type Sweeps = Pick<
  DeliveryRepository,
  'storesToFanOut' | 'subscriptionsToWake' | 'queuedSubscriptions' | 'endQueued' | 'expireHeld' | 'purge' | 'figures'
>;

const keyOf = ({ storeId, id: subscriptionId }: SubscriptionRow): SubscriptionKey => ({ storeId, subscriptionId });

const DAY_MS = 86_400_000;

export const deliverySweeps = (state: MemoryState, { clock, ids }: { clock: Clock; ids: Ids }): Sweeps => {
  const rows = (): DeliveryRow[] => [...deliveriesOf(state).values()];
  const queuedOf = (id: string): DeliveryRow[] => rows().filter((row) => row.subscriptionId === id && row.nextAttemptAt !== null);
  const active = (): SubscriptionRow[] => [...subscriptionsOf(state).values()].filter(({ isActive }) => isActive);
  const canGo = (row: DeliveryRow): boolean => (row.nextAttemptAt ?? Infinity) <= clock.now() && isNext(state, row);
  return {
    storesToFanOut: async () => [
      ...new Set([...eventsOf(state).values()].filter(({ pending }) => pending).map(({ storeId }) => storeId)),
    ],
    subscriptionsToWake: async () =>
      active()
        .filter(
          (row) => !isHeld(state, row) && !isPaused(row) && (row.probeAt ?? 0) <= clock.now() && queuedOf(row.id).some(canGo),
        )
        .map(keyOf),
    queuedSubscriptions: async ({ storeId, installationId }) =>
      [...subscriptionsOf(state).values()]
        .filter((row) => row.storeId === storeId && (installationId === undefined || row.installationId === installationId))
        .filter((row) => queuedOf(row.id).length > 0)
        .map(keyOf),
    // A change writes the end of all of them itself.
    endQueued: async () => 0,
    expireHeld: async (seconds, limit) => {
      const expired = [...subscriptionsOf(state).values()]
        .filter((row) => isHeld(state, row))
        .flatMap(({ id }) => queuedOf(id))
        .filter((row) => eventOf(state, row).createdAt < clock.now() - seconds * 1000)
        .slice(0, limit);
      for (const row of expired) {
        countDelivery(state, clock.now(), { ...row, status: 'Failed' });
        deliveriesOf(state).set(row.id, {
          ...row,
          status: 'Failed',
          error: row.error ?? 'expired',
          nextAttemptAt: null,
          updatedAt: clock.now(),
        });
      }
      const ended = expired.map((row) => endedDelivery(state, { ...row, error: row.error ?? 'expired' }));
      await eventRepository(state, { clock, ids }, null).append(ended.flatMap(exhaustedEvents));
      return expired.length;
    },
    purge: async (days, limit) => {
      const before = clock.now() - days * DAY_MS;
      const ended = rows()
        .filter((row) => row.nextAttemptAt === null && row.createdAt < before)
        .slice(0, limit);
      for (const { id } of ended) {
        deliveriesOf(state).delete(id);
        attemptsOf(state).delete(id);
      }
      const used = new Set([...rows(), ...placesOf(state).values()].map(({ storeId, eventId }) => `${storeId}/${eventId}`));
      const events = [...eventsOf(state)]
        .filter(([key, { createdAt, pending }]) => createdAt < before && !pending && !used.has(key))
        .slice(0, limit - ended.length);
      for (const [key] of events) eventsOf(state).delete(key);
      return ended.length + events.length;
    },
    figures: async (limit) => {
      const sending = active().filter((row) => (row.probeAt ?? null) === null && !isHeld(state, row) && !isPaused(row));
      const queued = sending.flatMap(({ id }) => queuedOf(id));
      const waiting = [...eventsOf(state).values()].filter(({ pending }) => pending);
      const due = [...queued.filter(canGo).map((row) => row.nextAttemptAt ?? 0), ...waiting.map(({ createdAt }) => createdAt)];
      return {
        queued: Math.min(queued.length, limit),
        waitingEvents: Math.min(waiting.length, limit),
        oldestDueSeconds: Math.max(0, ...due.map((since) => (clock.now() - since) / 1000)),
        openBreakers: active().filter((row) => (row.probeAt ?? null) !== null).length,
      };
    },
  };
};
