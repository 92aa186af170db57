import type { components } from './generated/openapi.ts';

/**
 * The code of an error: those of the server, and the client's own `no_response`, `timeout` and
 * `unreadable`. `http_` and a status, such as `http_502`, is the answer of a proxy before the server. More may be added.
 */
export type TenonErrorCode =
  | components['schemas']['ErrorCode']
  | 'no_response'
  | 'timeout'
  | 'unreadable'
  | `http_${number}`
  // Any other text, without which a new code would not compile; the intersection keeps the completion of the known ones.
  | (string & Record<never, never>);

/** What a `TenonError` knows of a failed call. */
export interface Failure {
  /** The status of the last response. Null when none came. */
  readonly status: number | null;
  readonly code: TenonErrorCode;
  readonly message: string;
  readonly requestId: string | null;
  readonly attempts: number;
  /** The JSON of the response. Empty without JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * A call that failed for good: a response that is not a success, or none at all. Your own abort of
 * a call is not one; the call then rejects with the reason of your signal.
 */
export class TenonError extends Error {
  override readonly name = 'TenonError';
  /** The status of the last response. Null when none came. */
  readonly status: number | null;
  /**
   * For programs, such as `not_found`, `rate_limited`, `idempotency_key_reused` or `cursor_expired`.
   * `no_response` and `timeout` are the client's own.
   */
  readonly code: TenonErrorCode;
  /** The `X-Request-Id` of the last response. Send it with a report to the merchant. */
  readonly requestId: string | null;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** The faults of a metaobject entry, by the name of the field. Null for other errors. */
  readonly errors: Readonly<Record<string, readonly string[]>> | null;
  /** The JSON of the response. Empty without JSON. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor({ status, code, message, requestId, attempts, body }: Failure, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.attempts = attempts;
    this.errors = (body['errors'] as TenonError['errors'] | undefined) ?? null;
    this.body = body;
  }
}
