import type { Clock } from '../../domain/ports/clock.ts';
import { deliveriesOf, eventOf } from './delivery-tables.ts';
import type { DeliveryRow } from './delivery-tables.ts';
import type { MemoryState } from './state.ts';

const eachQueued = (
  state: MemoryState,
  subscriptionIds: ReadonlySet<string>,
  change: (row: DeliveryRow) => DeliveryRow,
): void => {
  const rows = deliveriesOf(state);
  for (const [id, row] of rows)
    if (row.nextAttemptAt !== null && subscriptionIds.has(row.subscriptionId)) rows.set(id, change(row));
};

/** Ends as Dropped what is queued for the subscriptions, all of it or that of some event types. */
export const dropQueued = (
  state: MemoryState,
  clock: Clock,
  subscriptionIds: ReadonlySet<string>,
  types: readonly string[] | null,
): void => {
  eachQueued(state, subscriptionIds, (row) =>
    types === null || types.includes(eventOf(state, row).type)
      ? { ...row, status: 'Dropped', nextAttemptAt: null, updatedAt: clock.now() }
      : row,
  );
};

/** Makes what a stopped holder had taken Pending again, as it was: no attempt is used up. */
export const putBack = (state: MemoryState, subscriptionIds: ReadonlySet<string>): void => {
  eachQueued(state, subscriptionIds, (row) => ({ ...row, status: 'Pending' }));
};
