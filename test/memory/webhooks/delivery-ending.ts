import type { Clock } from '../../../src/domain/ports/clock.ts';
import { countDelivery } from '../insight/figure-tables.ts';
import { deliveriesOf, eventOf } from './delivery-tables.ts';
import type { MemoryState } from '../state.ts';

export const dropQueued = (
  state: MemoryState,
  clock: Clock,
  subscriptionIds: ReadonlySet<string>,
  types: readonly string[] | null,
): void => {
  for (const [id, row] of deliveriesOf(state)) {
    if (row.nextAttemptAt === null || !subscriptionIds.has(row.subscriptionId)) continue;
    if (types !== null && !types.includes(eventOf(state, row).type)) continue;
    countDelivery(state, clock.now(), { ...row, status: 'Dropped' });
    deliveriesOf(state).set(id, {
      ...row,
      status: 'Dropped',
      error: row.error ?? 'dropped',
      nextAttemptAt: null,
      updatedAt: clock.now(),
    });
  }
};
