import type { AttemptRecord, DeliveryTarget, DueDelivery } from '../../domain/ports/delivery-repository.ts';
import type { ObservedAttempt, RetrySchedule } from '../../domain/webhooks/delivery.ts';

/** An attempt that was recorded, with the delivery as it was before. */
export interface RecordedAttempt {
  readonly target: DeliveryTarget;
  readonly delivery: DueDelivery;
  readonly attempt: AttemptRecord;
}

export interface DeliverySettings {
  readonly schedule: RetrySchedule;
  /** WEBHOOK_MAX_IN_FLIGHT. */
  readonly maxInFlight: number;
  /**
   * Aborted when this node stops. No attempt begins after that; those in flight continue until the
   * leases are closed.
   */
  readonly stopping: AbortSignal;
  /** Called for every attempt that was recorded, for the metrics and for those who watch. */
  readonly onAttempt: (observed: ObservedAttempt, recorded: RecordedAttempt) => void;
}
