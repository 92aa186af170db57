import type { InvariantName } from '../../../src/domain/insight/invariants.ts';
import { earlier } from './move-back.ts';

const SIX_MINUTES = '360';

/** SQL that breaks each invariant for the store $1, a statement after the other. */
export const VIOLATIONS: Readonly<Record<InvariantName, readonly string[]>> = {
  events_placed: ['DELETE FROM feed WHERE store_id = $1'],
  feed_without_gaps: ['DELETE FROM feed WHERE store_id = $1 AND position = 2'],
  pending_queued: ['DELETE FROM delivery_queue WHERE store_id = $1'],
  queue_pending: ['DELETE FROM events WHERE store_id = $1'],
  attempts_recorded: ['UPDATE deliveries SET attempts = attempts + 1 WHERE store_id = $1'],
  events_fanned_out: [
    `UPDATE events SET created_at = ${earlier('created_at', SIX_MINUTES)} WHERE store_id = $1`,
    'INSERT INTO pending_events (store_id, event_id) SELECT store_id, id FROM events WHERE store_id = $1',
  ],
  // The world then holds the keys: one of an app, one of the merchant.
  keys_have_runners: [
    `INSERT INTO merchant_keys (store_id, key, fingerprint) VALUES ($1, 'stuck', decode(repeat('00', 32), 'hex'))`,
    `INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint)
     SELECT store_id, id, 'stuck', decode(repeat('00', 32), 'hex') FROM installations WHERE store_id = $1`,
  ],
  audit_chained: [
    `INSERT INTO audit_heads (store_id, number, hash) VALUES ($1, 1, '\\x01')`,
    `INSERT INTO audit_log (store_id, number, id, at, content, hash)
     SELECT store_id, number, store_id, now(), '{}', hash FROM audit_heads WHERE store_id = $1`,
  ],
  deliveries_served: [
    'UPDATE subscriptions SET updated_at = NULL WHERE store_id = $1',
    `UPDATE delivery_queue SET due_at = ${earlier('due_at', SIX_MINUTES)} WHERE store_id = $1`,
  ],
};
