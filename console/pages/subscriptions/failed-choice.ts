import { sinceOf } from '../../parts/periods.ts';

/**
 * While a receiver fails, all of its failed deliveries. Their times are those at which they were created: the one with
 * which the failure began was created before it failed, and maybe days before.
 */
export const firstPeriod = (failingSince: string | null): string => (failingSince === null ? '1' : '');

/** The failed deliveries that were created in a period that ends now. */
export const failedIn = (subscriptionId: string, period: string, now: number) => {
  const since = sinceOf(period, now);
  return { subscriptionId, status: ['Failed'] as const, ...(since !== undefined && { since }) };
};
