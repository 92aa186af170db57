import type { AttemptRecord, DeliveryTarget, DueDelivery } from '../../../domain/ports/webhooks/delivery-repository.ts';
import type { ObservedAttempt, RetrySchedule } from '../../../domain/webhooks/delivery.ts';

export interface RecordedAttempt {
  readonly target: DeliveryTarget;
  readonly delivery: DueDelivery;
  readonly attempt: AttemptRecord;
}

export interface DeliverySettings {
  readonly schedule: RetrySchedule;
  readonly maxInFlight: number;
  /**
   * Aborted when this node stops. No attempt begins after that; those in flight continue until the
   * leases are closed.
   */
  readonly stopping: AbortSignal;
  readonly onAttempt: (observed: ObservedAttempt, recorded: RecordedAttempt) => void;
}
