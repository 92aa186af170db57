import { isDelivered, type AttemptOutcome } from './delivery.ts';

/** A subscription's failed attempts. Seconds count from now, by the database's clock. */
export interface SubscriptionHealth {
  readonly failures: number;
  /** Since the first of them. Null when the last attempt succeeded or none was made. */
  readonly failingForSeconds: number | null;
  /**
   * Until an open breaker allows its next probe, negative once it is due. Null while the breaker is
   * closed.
   */
  readonly probeInSeconds: number | null;
}

export const HEALTHY: SubscriptionHealth = { failures: 0, failingForSeconds: null, probeInSeconds: null };

// The result of nearly every attempt, created once.
const STILL_HEALTHY = { ...HEALTHY, deactivates: false };

/** docs/specification/webhooks.md, "Isolation". */
const BREAKER_FAILURES = 10;
const MIN_PROBE_SECONDS = 30;
const MAX_PROBE_SECONDS = 15 * 60;
export const DEACTIVATE_AFTER_SECONDS = 120 * 3600;

/**
 * The wait of an open breaker after this many failures in a row: 30 s, doubled by each failed
 * probe, at most 15 min.
 */
const probeWait = (failures: number): number =>
  Math.min(MIN_PROBE_SECONDS * 2 ** (failures - BREAKER_FAILURES), MAX_PROBE_SECONDS);

/**
 * A subscription's health after one more attempt. One that was in flight when the breaker opened does
 * not count as a probe, so its failure does not make the wait longer. `deactivates`: the attempt was
 * answered with 410, or 120 h have passed without a success.
 */
export const afterAttempt = (
  health: SubscriptionHealth,
  outcome: AttemptOutcome,
  wasInFlight = false,
): SubscriptionHealth & { readonly deactivates: boolean } => {
  if (isDelivered(outcome)) return STILL_HEALTHY;
  const failures = wasInFlight ? health.failures : health.failures + 1;
  const failingForSeconds = health.failingForSeconds ?? 0;
  return {
    failures,
    failingForSeconds,
    probeInSeconds: failures >= BREAKER_FAILURES ? probeWait(failures) : null,
    deactivates: outcome.status === 410 || failingForSeconds >= DEACTIVATE_AFTER_SECONDS,
  };
};

/**
 * Number of deliveries that may be in flight now: none while the breaker is open, one when its
 * probe is due.
 */
export const allowedInFlight = ({ probeInSeconds }: SubscriptionHealth, cap: number): number => {
  if (probeInSeconds === null) return cap;
  return probeInSeconds > 0 ? 0 : 1;
};
