import type { Backlog } from '../../../src/domain/ports/webhooks/backlog.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { boundedCount } from '../../../src/domain/webhooks/backlog.ts';
import { HOLDS, type Hold } from '../../../src/domain/webhooks/delivery.ts';
import { storesOf } from '../identity/identity-tables.ts';
import type { MemoryState } from '../state.ts';
import { deliveriesOf, holdOf, isNext, subscriptionsOf } from './delivery-tables.ts';

interface Queued {
  readonly id: string;
  readonly subscriptionId: string;
  readonly dueAt: number;
  readonly createdAt: number;
  readonly reason: Hold | null;
  readonly isNext: boolean;
}

export const backlog = (state: MemoryState, clock: Clock): Backlog => {
  const reasonOf = (subscriptionId: string): Hold | null => {
    const row = subscriptionsOf(state).get(subscriptionId);
    return row ? holdOf(state, row) : null;
  };
  const queuedOf = (store: string): Queued[] =>
    [...deliveriesOf(state).values()].flatMap((row) => {
      const { id, storeId, subscriptionId, nextAttemptAt: dueAt, createdAt } = row;
      if (storeId !== store || dueAt === null) return [];
      return [{ id, subscriptionId, dueAt, createdAt, reason: reasonOf(subscriptionId), isNext: isNext(state, row) }];
    });
  return {
    read: async (storeId, limit) => {
      if (!storesOf(state).has(storeId)) return null;
      const now = clock.now();
      const queued = queuedOf(storeId);
      const due = queued.filter((row) => row.reason === null && row.dueAt <= now && row.isNext).sort((a, b) => a.dueAt - b.dueAt);
      const [first] = due;
      const oldest = first && {
        deliveryId: first.id,
        subscriptionId: first.subscriptionId,
        dueAt: isoTime(first.dueAt),
        secondsLate: Math.floor((now - first.dueAt) / 1000),
      };
      const held = HOLDS.map((reason) => ({
        reason,
        ...boundedCount(queued.filter((row) => row.reason === reason).length, limit),
      }));
      const counts = [null, ...HOLDS].map((reason) => boundedCount(queued.filter((row) => row.reason === reason).length, limit));
      const [eldest] = [...queued].sort((a, b) => (a.id < b.id ? -1 : 1));
      return {
        waiting: {
          count: counts.reduce((sum, { count }) => sum + count, 0),
          isComplete: counts.every(({ isComplete }) => isComplete),
          oldest: eldest
            ? {
                deliveryId: eldest.id,
                createdAt: isoTime(eldest.createdAt),
                secondsOld: Math.floor((now - eldest.createdAt) / 1000),
              }
            : null,
        },
        due: { ...boundedCount(due.length, limit), oldest: oldest ?? null },
        held: held.filter(({ count }) => count > 0),
      };
    },
    readOne: async ({ storeId, subscriptionId }, limit) => {
      const queued = queuedOf(storeId).filter((row) => row.subscriptionId === subscriptionId);
      const [eldest] = [...queued].sort((a, b) => (a.id < b.id ? -1 : 1));
      return {
        ...boundedCount(queued.length, limit),
        oldest: eldest
          ? {
              deliveryId: eldest.id,
              createdAt: isoTime(eldest.createdAt),
              secondsOld: Math.floor((clock.now() - eldest.createdAt) / 1000),
            }
          : null,
      };
    },
    readOf: async (storeId, subscriptionIds, limit) =>
      new Map(
        subscriptionIds.map((id) => [
          id,
          boundedCount(queuedOf(storeId).filter(({ subscriptionId }) => subscriptionId === id).length, limit),
        ]),
      ),
  };
};
