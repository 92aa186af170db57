import type { Hold } from './delivery.ts';

export interface BoundedCount {
  readonly count: number;
  readonly isComplete: boolean;
}

export interface OldestDue {
  readonly deliveryId: string;
  readonly subscriptionId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly dueAt: string;
  readonly secondsLate: number;
}

/** The delivery that has waited for the longest time since its event. */
export interface OldestWaiting {
  readonly deliveryId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly createdAt: string;
  readonly secondsOld: number;
}

export interface BacklogState {
  /** All that have not ended: those that are due, held, or wait for their next attempt. */
  readonly waiting: BoundedCount & { readonly oldest: OldestWaiting | null };
  readonly due: BoundedCount & { readonly oldest: OldestDue | null };
  readonly held: readonly (BoundedCount & { readonly reason: Hold })[];
}

export const boundedCount = (counted: number, limit: number): BoundedCount => ({
  count: Math.min(counted, limit),
  isComplete: counted <= limit,
});
