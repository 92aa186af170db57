/** Why deliveries wait although nothing is wrong with them. */
export const HELD_REASONS = ['store_inactive', 'app_suspended', 'breaker_open'] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

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

export interface BacklogState {
  readonly due: BoundedCount & { readonly oldest: OldestDue | null };
  readonly held: readonly (BoundedCount & { readonly reason: HeldReason })[];
}

export const boundedCount = (counted: number, limit: number): BoundedCount => ({
  count: Math.min(counted, limit),
  isComplete: counted <= limit,
});
