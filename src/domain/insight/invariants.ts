/** Seconds after which work that is due counts as forgotten. The sweep looks for it every 20 s. */
export const FORGOTTEN_SECONDS = 300;

export const INVARIANTS = {
  events_placed: "Each event has a place in its store's feed or waits for one, and never both.",
  feed_without_gaps: "The positions of a store's feed have no gap.",
  pending_queued: 'Each pending delivery is in the queue, and no other is.',
  queue_pending: 'Each row of the queue has its pending delivery and its event.',
  attempts_recorded: 'The attempts of each delivery are all recorded.',
  events_fanned_out: 'No event waits for its deliveries for more than five minutes.',
  keys_have_runners:
    'No idempotency key is in progress without a runner: a transaction holds it, and for less than five minutes.',
  deliveries_served: 'No delivery that can be sent is due for more than five minutes without a worker that sends it.',
  audit_chained: 'Each entry of the audit log has the hash that follows from the entry before it.',
} as const;

/** Invariants that a repair can restore, in order. */
export const REPAIRABLE = ['events_placed', 'pending_queued'] as const satisfies readonly InvariantName[];
export type RepairableName = (typeof REPAIRABLE)[number];

/**
 * An event without deliveries that is older gets a place in the feed and is not sent: it may have been
 * delivered, and its deliveries purged. No server keeps deliveries for less time (WEBHOOK_LOG_DAYS).
 */
export const REPAIR_DELIVERS_SECONDS = 86_400;

export type InvariantName = keyof typeof INVARIANTS;
export const INVARIANT_NAMES = Object.keys(INVARIANTS) as readonly InvariantName[];
