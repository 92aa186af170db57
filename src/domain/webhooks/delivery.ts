/**
 * Held: a pending delivery that waits for something other than its time: a suspended app, an
 * inactive store or an open breaker.
 */
export const DELIVERY_STATUSES = ['Pending', 'Delivering', 'Delivered', 'Failed', 'Held', 'Dropped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why an attempt got no response. `deactivated`: the delivery ended with its subscription, without
 * an attempt.
 */
export const ATTEMPT_ERRORS = [
  'name_not_resolved',
  'address_not_allowed',
  'connection_failed',
  'connect_timeout',
  'tls_failed',
  'timeout',
  'connection_closed',
  'invalid_response',
  'proxy_failed',
] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/**
 * The outcome of one attempt. `status` is null when no response came, and then `error` says why.
 * Both are set when the body of the response broke off.
 */
export interface AttemptOutcome {
  readonly status: number | null;
  readonly error: AttemptError | null;
  /** The Retry-After header, if it could be read, in seconds from the end of the attempt. */
  readonly retryAfterSeconds: number | null;
}

/** The waits before each attempt in seconds, and how far each may vary: 0.2 is 20 %. */
export interface RetrySchedule {
  readonly waits: readonly number[];
  readonly jitter: number;
}

/** Seconds from the end of the attempt. */
export type Verdict =
  { readonly kind: 'delivered' } | { readonly kind: 'retry'; readonly inSeconds: number } | { readonly kind: 'failed' };

/** An attempt, for the metrics. */
export interface ObservedAttempt {
  readonly outcome: Verdict['kind'];
  readonly durationSeconds: number;
  /**
   * From the commit of the event to the beginning of the first attempt. Null for later attempts.
   */
  readonly waitedSeconds: number | null;
}

/** A subscription's failed attempts. Seconds count from now, by the database's clock. */
export interface SubscriptionHealth {
  /** Failed attempts in a row. */
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
const DELIVERED: Verdict = { kind: 'delivered' };
const STILL_HEALTHY = { ...HEALTHY, deactivates: false };

/** decisions.md, Webhooks, Isolation. */
const BREAKER_FAILURES = 10;
const MIN_PROBE_SECONDS = 30;
const MAX_PROBE_SECONDS = 15 * 60;
export const DEACTIVATE_AFTER_SECONDS = 120 * 3600;
/** The least wait after a 429 or 503. */
const MIN_BACKOFF_SECONDS = 60;

export const isDelivered = ({ status, error }: AttemptOutcome): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

const isBusy = ({ status }: AttemptOutcome): boolean => status === 429 || status === 503;

/**
 * What follows an attempt (decisions.md, Webhooks, Attempts). `tries` counts the attempts of the
 * schedule, including this one. `random` is in [0, 1). A Retry-After counts up to twice the planned
 * wait.
 */
export const judgeAttempt = (
  { waits, jitter }: RetrySchedule,
  tries: number,
  outcome: AttemptOutcome,
  random: number,
): Verdict => {
  if (isDelivered(outcome)) return DELIVERED;
  const wait = waits[tries];
  if (wait === undefined || outcome.status === 410) return { kind: 'failed' };
  const planned = wait * (1 + jitter * (2 * random - 1));
  if (!isBusy(outcome)) return { kind: 'retry', inSeconds: planned };
  return { kind: 'retry', inSeconds: Math.max(planned, MIN_BACKOFF_SECONDS, Math.min(outcome.retryAfterSeconds ?? 0, 2 * wait)) };
};

/**
 * The whole length of the schedule in seconds. A delivery that was held for longer than this since
 * its event ends as Failed.
 */
export const scheduleLength = ({ waits }: RetrySchedule): number => waits.reduce((sum, wait) => sum + wait, 0);

/**
 * The wait of an open breaker after this many failures in a row: 30 s, doubled by each failed
 * probe, at most 15 min.
 */
const probeWait = (failures: number): number =>
  Math.min(MIN_PROBE_SECONDS * 2 ** Math.min(failures - BREAKER_FAILURES, 10), MAX_PROBE_SECONDS);

/**
 * A subscription's health after one more attempt. `deactivates`: the attempt was answered with 410,
 * or 120 h have passed without a success.
 */
export const afterAttempt = (
  health: SubscriptionHealth,
  outcome: AttemptOutcome,
): SubscriptionHealth & { readonly deactivates: boolean } => {
  if (isDelivered(outcome)) return STILL_HEALTHY;
  const failures = health.failures + 1;
  const failingForSeconds = health.failingForSeconds ?? 0;
  return {
    failures,
    failingForSeconds,
    probeInSeconds: failures >= BREAKER_FAILURES ? probeWait(failures) : null,
    deactivates: outcome.status === 410 || failingForSeconds >= DEACTIVATE_AFTER_SECONDS,
  };
};

/**
 * How many deliveries may be in flight now: none while the breaker is open, one when its probe is
 * due.
 */
export const allowedInFlight = ({ probeInSeconds }: SubscriptionHealth, cap: number): number => {
  if (probeInSeconds === null) return cap;
  return probeInSeconds > 0 ? 0 : 1;
};

/** The signed content of Standard Webhooks 1.0.0. `timestamp` is in seconds since the epoch. */
export const signedContent = (id: string, timestamp: number, body: string): string => `${id}.${String(timestamp)}.${body}`;

/** The headers of an attempt. `signatures` are `v1,...`, that of the newest secret first. */
export const attemptHeaders = (attempt: {
  readonly eventId: string;
  readonly timestamp: number;
  readonly signatures: readonly string[];
  readonly subscriptionId: string;
  readonly number: number;
}): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': 'Tenon-Webhooks',
  'webhook-id': attempt.eventId,
  'webhook-timestamp': String(attempt.timestamp),
  'webhook-signature': attempt.signatures.join(' '),
  'webhook-subscription-id': attempt.subscriptionId,
  'webhook-attempt': String(attempt.number),
});
