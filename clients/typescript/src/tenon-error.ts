import type { components } from './generated/openapi.ts';

/**
 * The code of an error: those of the server, and the client's own `no_response`, `timeout`, `incomplete`, `no_progress` and
 * `unreadable`. `http_` and a status, such as `http_502`, is the answer of a proxy before the server. More may be added.
 */
export type TenonErrorCode =
  | components['schemas']['ErrorCode']
  | 'no_response'
  | 'timeout'
  | 'incomplete'
  | 'no_progress'
  | 'unreadable'
  | `http_${number}`
  // Any other text, without which a new code would not compile; the intersection keeps the completion of the known ones.
  | (string & Record<never, never>);

/** Facts of a failed call. */
export interface Failure {
  readonly code: TenonErrorCode;
  readonly message: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly attempts?: number;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * A call that failed for good: a response that is not a success, or none at all. Your own abort of
 * a call is not one; the call then rejects with the reason of your signal.
 */
export class TenonError extends Error {
  override readonly name = 'TenonError';
  /** The status of the last response. Null when none came. */
  declare readonly status: number | null;
  /**
   * For programs, such as `not_found`, `rate_limited`, `idempotency_key_reused` or `cursor_expired`.
   * `no_response`, `timeout`, `incomplete` and `no_progress` are the client's own.
   */
  declare readonly code: TenonErrorCode;
  /** The `X-Request-Id` of the last response. Send it with a report to the merchant. */
  declare readonly requestId: string | null;
  /** How many times the request was sent. */
  declare readonly attempts: number;
  /** The faults of a metaobject entry, by the name of the field. Null for other errors. */
  declare readonly errors: Readonly<Record<string, readonly string[]>> | null;
  /** The JSON of the response. Empty without JSON. */
  declare readonly body: Readonly<Record<string, unknown>>;

  constructor({ message, body = {}, ...failure }: Failure, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, { status: null, requestId: null, attempts: 1, ...failure, body, errors: body['errors'] ?? null });
  }
}
