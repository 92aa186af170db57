import { FORGOTTEN_SECONDS, type InvariantName } from '../../../src/domain/insight/invariants.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Invariants } from '../../../src/domain/ports/insight/invariants.ts';
import { keysOf } from '../idempotency/key-tables.ts';
import type { MemoryState } from '../state.ts';
import { auditRowsOf, hashOfEntry } from './audit-log.ts';
import { attemptsOf, deliveriesOf, isHeld, isNext, subscriptionsOf, type DeliveryRow } from '../webhooks/delivery-tables.ts';
import { placesOf } from '../webhooks/event-feed.ts';
import { eventsOf } from '../webhooks/event-repository.ts';

type Row = readonly [id: string, isWrong: boolean];

const isOldestFirst = (name: InvariantName): boolean => name === 'events_fanned_out' || name === 'deliveries_served';

/** Each entry of the audit log, with whether its hash does not follow from the one before it. */
const chainOf = (state: MemoryState): Row[] => {
  const entries = [...auditRowsOf(state).values()].sort((a, b) => a.number - b.number);
  return entries.map((row) => {
    const before = entries.find(({ storeId, number }) => storeId === row.storeId && number === row.number - 1);
    return [`${row.storeId}/${String(row.number)}`, row.hash !== hashOfEntry(before?.hash ?? '', row)];
  });
};

interface Options {
  readonly isSlow?: boolean;
  readonly locked?: ReadonlySet<string>;
}

export const invariants = (
  state: MemoryState,
  clock: Clock,
  { isSlow = false, locked = new Set() }: Options = {},
): Invariants => {
  const isLongAgo = (time: number): boolean => time < clock.now() - FORGOTTEN_SECONDS * 1000;
  const dueOf = (id: string): number => deliveriesOf(state).get(id)?.nextAttemptAt ?? Infinity;
  const byDue = ([a]: Row, [b]: Row): number => (dueOf(a) < dueOf(b) ? -1 : 1);
  const deliveries = (isWrong: (row: DeliveryRow) => boolean): Row[] =>
    [...deliveriesOf(state).values()].map((row) => [row.id, isWrong(row)]);
  const placed = (): Set<string> => new Set([...placesOf(state).values()].map(({ storeId, eventId }) => `${storeId}/${eventId}`));
  const positions = (): Row[] => {
    const places = [...placesOf(state).values()];
    return [...new Set(places.map(({ storeId }) => storeId))].map((id) => {
      const all = places.filter(({ storeId }) => storeId === id).map(({ position }) => position);
      return [id, Math.max(...all) - Math.min(...all) + 1 !== all.length];
    });
  };
  const isForgotten = (row: DeliveryRow): boolean => {
    const { subscriptionId, nextAttemptAt } = row;
    const subscription = subscriptionsOf(state).get(subscriptionId);
    if (!subscription?.isActive || isHeld(state, subscription) || nextAttemptAt === null || !isNext(state, row)) return false;
    return isLongAgo(Math.max(nextAttemptAt, subscription.probeAt ?? 0));
  };
  const rowsOf: Readonly<Record<InvariantName, () => readonly Row[]>> = {
    events_placed: () => {
      const places = placed();
      const events = [...eventsOf(state)].filter(([, { type }]) => type !== 'ping');
      return events.map(([key, { id, pending }]) => [id, places.has(key) === pending]);
    },
    feed_without_gaps: positions,
    pending_queued: () => deliveries(({ status, nextAttemptAt }) => (status === 'Pending') !== (nextAttemptAt !== null)),
    queue_pending: () =>
      deliveries(
        ({ storeId, eventId, nextAttemptAt }) => nextAttemptAt !== null && !eventsOf(state).has(`${storeId}/${eventId}`),
      ),
    attempts_recorded: () => deliveries(({ id, attempts }) => attempts !== (attemptsOf(state).get(id) ?? []).length),
    events_fanned_out: () =>
      [...eventsOf(state).values()].filter(({ pending }) => pending).map(({ id, createdAt }) => [id, isLongAgo(createdAt)]),
    keys_have_runners: () =>
      [...keysOf(state)]
        .filter(([, { response }]) => response === null)
        .map(([id, { since }]) => [id.replace(' ', '/'), locked.has(id) && isLongAgo(since)]),
    deliveries_served: () => deliveries(isForgotten).sort(byDue),
    audit_chained: () => chainOf(state),
  };
  return {
    check: async (name, limit) => {
      if (isSlow) return null;
      const all = rowsOf[name]();
      const rows = isOldestFirst(name) ? all.slice(0, limit) : all.slice(-limit);
      const wrong = rows.filter(([, isWrong]) => isWrong).map(([id]) => id);
      return { counted: rows.length, violated: wrong.length, isSample: all.length >= limit, examples: wrong.slice(0, 5) };
    },
  };
};
