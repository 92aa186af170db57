/**
 * States of a delivery in the console, the command line, the API and the documents. Waiting: no
 * attempt failed yet, or something else than its time keeps the next one from being made. Retrying:
 * the last attempt failed, and the next one is planned.
 */
export const DELIVERY_STATUSES = ['Waiting', 'Retrying', 'Delivered', 'Failed', 'Dropped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Stored states. A delivery that has not ended is Pending: the reason for its wait may change at any time. */
export type StoredDeliveryStatus = 'Pending' | Exclude<DeliveryStatus, QueuedStatus>;

export const QUEUED_STATUSES = ['Waiting', 'Retrying'] as const satisfies readonly DeliveryStatus[];
export type QueuedStatus = (typeof QUEUED_STATUSES)[number];

export const isQueued = (status: DeliveryStatus): status is QueuedStatus =>
  (QUEUED_STATUSES as readonly string[]).includes(status);

/**
 * Reasons that keep deliveries from being sent although nothing is wrong with them. The first one
 * that applies counts.
 */
export const HOLDS = ['store_inactive', 'app_suspended', 'paused_by_merchant', 'paused_after_failures'] as const;
export type Hold = (typeof HOLDS)[number];

/** The one reason why a delivery is Waiting. `queued`: nothing but its turn. */
export const WAITING_REASONS = [...HOLDS, 'queued'] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

export interface Standing {
  readonly status: DeliveryStatus;
  /** Null when it is not Waiting. */
  readonly waitingBecause: WaitingReason | null;
}

/** Derives the public status of a stored delivery. `hold` is the reason that blocks its subscription now. */
export const publicStatusOf = (
  {
    status,
    attempts,
    error,
  }: { readonly status: StoredDeliveryStatus; readonly attempts: number; readonly error: DeliveryError | null },
  hold: Hold | null,
): Standing => {
  if (status !== 'Pending') return { status, waitingBecause: null };
  if (hold !== null) return { status: 'Waiting', waitingBecause: hold };
  return attempts > 0 && error !== null
    ? { status: 'Retrying', waitingBecause: null }
    : { status: 'Waiting', waitingBecause: 'queued' };
};

/** Reasons for an attempt without a response. */
export const ATTEMPT_ERRORS = [
  'name_not_resolved',
  'name_lookups_busy',
  'address_not_allowed',
  'connection_failed',
  'connect_timeout',
  'tls_failed',
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_of_another_name',
  'certificate_untrusted',
  'timeout',
  'connection_closed',
  'invalid_response',
  'proxy_failed',
] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/**
 * Reasons for a delivery's last failure: an error of the attempt, or the class of its status. A
 * delivery that ends without a failed attempt is `expired` (held for longer than its schedule),
 * `deactivated` (with its subscription) or `dropped`.
 */
export const DELIVERY_ERRORS = [
  ...ATTEMPT_ERRORS,
  'http_3xx',
  'http_4xx',
  'http_5xx',
  'expired',
  'deactivated',
  'dropped',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

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

export interface ObservedAttempt {
  readonly outcome: Verdict['kind'];
  readonly durationSeconds: number;
  /**
   * From the commit of the event to the beginning of the first attempt. Null for later attempts.
   */
  readonly waitedSeconds: number | null;
}

// The result of nearly every attempt, created once.
const DELIVERED: Verdict = { kind: 'delivered' };

/** Shortest wait after a 429 or 503. */
const MIN_BACKOFF_SECONDS = 60;

export const isDelivered = ({ status, error }: Pick<AttemptOutcome, 'status' | 'error'>): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/** Null for an attempt that delivered. */
export const deliveryErrorOf = (outcome: Pick<AttemptOutcome, 'status' | 'error'>): DeliveryError | null => {
  if (isDelivered(outcome)) return null;
  if (outcome.error !== null) return outcome.error;
  const status = outcome.status ?? 0;
  if (status >= 500) return 'http_5xx';
  return status >= 400 ? 'http_4xx' : 'http_3xx';
};

const isBusy = ({ status }: AttemptOutcome): boolean => status === 429 || status === 503;

/**
 * Judges an attempt (docs/specification/webhooks.md, "Attempts"). `tries` counts the attempts of
 * the schedule, including this one. `random` is in [0, 1). A Retry-After counts up to twice the
 * planned wait.
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

const UNSENT: ReadonlySet<AttemptError | null> = new Set([
  'name_not_resolved',
  'name_lookups_busy',
  'address_not_allowed',
  'connection_failed',
  'connect_timeout',
  'tls_failed',
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_of_another_name',
  'certificate_untrusted',
  'proxy_failed',
] as const);

/** True when at least a part of the request was sent. */
export const wasSent = ({ error }: Pick<AttemptOutcome, 'error'>): boolean => !UNSENT.has(error);
