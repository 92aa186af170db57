import { auditRowsOf } from '../../memory/insight/audit-log.ts';
import { attemptsOf, deliveriesOf } from '../../memory/webhooks/delivery-tables.ts';
import { placesOf } from '../../memory/webhooks/event-feed.ts';
import { eventsOf } from '../../memory/webhooks/event-repository.ts';
import { keysOf } from '../../memory/idempotency/key-tables.ts';
import type { MemoryState } from '../../memory/state.ts';
import type { InvariantName } from '../../../src/domain/insight/invariants.ts';

const MINUTES = 360_000;

const replace = <Row extends { readonly storeId: string }>(
  rows: Map<string, Row>,
  storeId: string,
  to: (row: Row) => Row,
): void => {
  for (const [key, row] of rows) if (row.storeId === storeId) rows.set(key, to(row));
};

const removeFrom = (rows: Map<string, { readonly storeId: string }>, storeId: string): void => {
  for (const [key, row] of rows) if (row.storeId === storeId) rows.delete(key);
};

/** Breaks the invariant for the store. */
export const violateMemory = (state: MemoryState, name: InvariantName, storeId: string): void => {
  const violations: Readonly<Record<InvariantName, () => void>> = {
    events_placed: () => {
      removeFrom(placesOf(state), storeId);
    },
    feed_without_gaps: () => {
      placesOf(state).delete(`${storeId}/2`);
    },
    pending_queued: () => {
      replace(deliveriesOf(state), storeId, (row) => ({ ...row, nextAttemptAt: null }));
    },
    queue_pending: () => {
      removeFrom(eventsOf(state), storeId);
    },
    attempts_recorded: () => {
      for (const { id, storeId: of } of deliveriesOf(state).values())
        if (of === storeId) attemptsOf(state).set(id, [{} as never]);
    },
    events_fanned_out: () => {
      replace(eventsOf(state), storeId, (row) => ({ ...row, pending: true, createdAt: row.createdAt - MINUTES }));
    },
    keys_have_runners: () => {
      for (const [id, row] of keysOf(state)) keysOf(state).set(id, { ...row, since: row.since - MINUTES });
    },
    deliveries_served: () => {
      replace(deliveriesOf(state), storeId, (row) => ({ ...row, nextAttemptAt: (row.nextAttemptAt ?? 0) - MINUTES }));
    },
    audit_chained: () => {
      const entry = { id: storeId, storeId, at: '', operatorId: null, answers: null, content: '{}' };
      auditRowsOf(state).set(storeId, { ...entry, number: 1, hash: 'changed' });
    },
  };
  violations[name]();
};
