import { attemptsOf, deliveriesOf } from '../memory/webhooks/delivery-tables.ts';
import { placesOf } from '../memory/webhooks/event-feed.ts';
import { eventsOf } from '../memory/webhooks/event-repository.ts';
import { keysOf } from '../memory/idempotency/key-tables.ts';
import type { MemoryState } from '../memory/state.ts';
import type { InvariantName } from '../../src/domain/insight/invariants.ts';

/** SQL that breaks each invariant for the store $1. */
export const VIOLATIONS: Readonly<Record<InvariantName, string>> = {
  events_placed: 'DELETE FROM feed WHERE store_id = $1',
  feed_without_gaps: 'DELETE FROM feed WHERE store_id = $1 AND position = 2',
  pending_queued: 'DELETE FROM delivery_queue WHERE store_id = $1',
  queue_pending: 'DELETE FROM events WHERE store_id = $1',
  attempts_recorded: 'UPDATE deliveries SET attempts = attempts + 1 WHERE store_id = $1',
  events_fanned_out: `WITH old AS (UPDATE events SET created_at = created_at - interval '6 minutes' WHERE store_id = $1 RETURNING store_id, id)
    INSERT INTO pending_events (store_id, event_id) SELECT store_id, id FROM old`,
  // The world then holds the key.
  keys_have_runners: `INSERT INTO idempotency_records (installation_id, key, fingerprint)
    SELECT id, 'stuck', decode(repeat('00', 32), 'hex') FROM installations WHERE store_id = $1`,
  deliveries_served: `WITH old AS (UPDATE subscriptions SET updated_at = NULL WHERE store_id = $1)
    UPDATE delivery_queue SET due_at = due_at - interval '6 minutes' WHERE store_id = $1`,
};

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
  };
  violations[name]();
};
