import type { ObservedAttempt, RetrySchedule } from '../../domain/webhooks/delivery.ts';

export interface DeliverySettings {
  readonly schedule: RetrySchedule;
  /** WEBHOOK_MAX_IN_FLIGHT. */
  readonly maxInFlight: number;
  /**
   * Aborted when this node stops. No attempt begins after that; those in flight continue until the
   * leases are closed.
   */
  readonly stopping: AbortSignal;
  /** Called for every attempt that was recorded, for the metrics. */
  readonly onAttempt: (attempt: ObservedAttempt) => void;
}
