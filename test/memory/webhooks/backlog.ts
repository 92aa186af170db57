import type { Backlog } from '../../../src/domain/ports/webhooks/backlog.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { boundedCount, HELD_REASONS, type HeldReason } from '../../../src/domain/webhooks/backlog.ts';
import { storesOf } from '../identity/identity-tables.ts';
import type { MemoryState } from '../state.ts';
import { deliveriesOf, isHeld, subscriptionsOf } from './delivery-tables.ts';

interface Queued {
  readonly id: string;
  readonly subscriptionId: string;
  readonly dueAt: number;
  readonly reason: HeldReason | null;
}

export const backlog = (state: MemoryState, clock: Clock): Backlog => {
  const heldReasonOf = (subscriptionId: string): HeldReason | null => {
    const row = subscriptionsOf(state).get(subscriptionId);
    if (!row) return null;
    if (storesOf(state).get(row.storeId)?.status === 'Inactive') return 'store_inactive';
    if (isHeld(state, row)) return 'app_suspended';
    return (row.probeAt ?? 0) > clock.now() ? 'breaker_open' : null;
  };
  const queuedOf = (store: string): Queued[] =>
    [...deliveriesOf(state).values()].flatMap(({ id, storeId, subscriptionId, nextAttemptAt }) =>
      storeId === store && nextAttemptAt !== null
        ? [{ id, subscriptionId, dueAt: nextAttemptAt, reason: heldReasonOf(subscriptionId) }]
        : [],
    );
  return {
    read: async (storeId, limit) => {
      if (!storesOf(state).has(storeId)) return null;
      const now = clock.now();
      const queued = queuedOf(storeId);
      const due = queued.filter(({ reason, dueAt }) => reason === null && dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
      const [first] = due;
      const oldest = first && {
        deliveryId: first.id,
        subscriptionId: first.subscriptionId,
        dueAt: isoTime(first.dueAt),
        secondsLate: Math.floor((now - first.dueAt) / 1000),
      };
      const held = HELD_REASONS.map((reason) => ({
        reason,
        ...boundedCount(queued.filter((row) => row.reason === reason).length, limit),
      }));
      return {
        due: { ...boundedCount(due.length, limit), oldest: oldest ?? null },
        held: held.filter(({ count }) => count > 0),
      };
    },
  };
};
