import { STATUS_CODES } from 'node:http';

import type { NotedReason } from '../../../../domain/insight/refusals/noted-reasons.ts';
import type { Check } from '../../../../domain/insight/refused-request.ts';
import { NO_OPEN_STORE } from '../../../../domain/identity/store.ts';
import { refuse, type FieldErrors, type RefusalCode } from '../../../../domain/result.ts';
import type { ErrorShape, Route } from '../../route-declaration.ts';

export type ErrorCode = RefusalCode | 'method_not_allowed' | 'internal_error' | UnreadableCode;

/** Faults of a request that never reaches a route. */
export type UnreadableCode = 'request_timeout' | 'expectation_failed' | 'headers_too_large';

/** The only place that knows the status of a refusal (docs/specification/requests.md, "Errors"). */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  cursor_expired: 410,
  precondition_failed: 412,
  idempotency_in_progress: 409,
  idempotency_not_replayable: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
};

/** Reasons for refusing a request of the admin API or a console. The request log has no such request. */
export type ConsoleReason =
  | 'admin_route'
  | 'wrong_admin_token'
  | 'too_many_wrong_admin_tokens'
  | 'wrong_sign_in'
  | 'no_session'
  | 'ended_session'
  | 'role_too_low'
  | 'other_store'
  | 'foreign_host'
  | 'foreign_page'
  | 'no_console_header'
  | 'console_form';

export type Reason = NotedReason | ConsoleReason;

export interface NotedRefusal {
  readonly code: string | null;
  readonly check: Check;
  readonly reason?: NotedReason;
}

/** Answer to an unsuccessful request. `message` is public. */
export interface RouteError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors?: FieldErrors;
  /** The check that refused, for the request log. Without it, the use case did. */
  readonly check?: Check;
  /** Note for the log beside the code. The caller does not learn it. */
  readonly reason?: Reason;
  readonly details?: Readonly<Record<string, string>>;
}

export const refusedAt = <R extends RouteError>(check: Check, error: R): R & { readonly check: Check } => ({ ...error, check });

/** The refusal with this check unless it names its own. */
export const orAt = <R extends RouteError>(check: Check, error: R): R =>
  error.check === undefined ? refusedAt(check, error) : error;

const WAIT = 'Retry after the number of seconds in Retry-After.';

export const ONE_HOST = refusedAt('store', refuse('invalid', 'The request must have exactly one Host header.'));
export const STORE_HEADER_IN_PRODUCTION = refusedAt(
  'store',
  refuse('invalid', 'X-Tenon-Store is for development only. Send the request to the domain of the store, without this header.'),
);
export const STORE_HEADER_ELSEWHERE = refusedAt(
  'store',
  refuse('invalid', 'X-Tenon-Store may appear once, in a request to localhost or 127.0.0.1.'),
);
export const BAD_PATH = refuse('invalid', 'The path is not a valid URI.');
export const UNKNOWN_PATH = refuse('not_found', 'Path not found.');
export const NO_RESOURCE = refuse('not_found', 'Resource not found.');
export const NO_FILE = refuse('not_found', 'File not found.');
const KEY_NEEDED = 'Exactly one Idempotency-Key header of 1 to 255 printable ASCII characters is required.';
export const badKey = ({ needsToo }: Pick<Route, 'needsToo'>) =>
  refusedAt('key', refuse('invalid', needsToo === null ? KEY_NEEDED : `${KEY_NEEDED} ${needsToo}`));
/** A token that is missing or not valid. The app API answers it without a body. */
export const NO_TOKEN = refusedAt('token', refuse('unauthenticated', ''));
/** A host that no store can have. It looks like a token that is not valid. */
export const UNKNOWN_STORE = refusedAt('store', NO_TOKEN);
/** A person gets this page where an app gets `UNKNOWN_STORE`. */
export const NO_STORE_PAGE = refusedAt('store', NO_OPEN_STORE);
export const NO_ADMIN_TOKEN = refuse('unauthenticated', 'The admin token is missing or wrong.');
export const TOO_MANY_REQUESTS = refusedAt('rate', refuse('rate_limited', `Too many requests. ${WAIT}`));
export const TOO_MANY_BAD_SECRETS = {
  ...refusedAt(
    'rate',
    refuse('rate_limited', `Too many requests from this address had a wrong client id or client secret. ${WAIT}`),
  ),
  reason: 'failed_secrets',
} as const;
export const TOO_MANY_BAD_TOKENS = refusedAt(
  'rate',
  refuse('rate_limited', `Too many requests from this address had an invalid access token. ${WAIT}`),
);
export const TOO_MANY_BAD_ADMIN_TOKENS = refuse('rate_limited', `Too many wrong admin tokens. ${WAIT}`);
export const NO_SESSION = refuse('unauthenticated', 'There is no session, or it has ended. Sign in again.');
export const UNAVAILABLE = refuse('unavailable', `The service is temporarily unavailable. ${WAIT}`);
export const INTERNAL_ERROR: RouteError = { code: 'internal_error', message: 'An internal error occurred.' };

export interface ErrorBody {
  readonly contentType: string;
  readonly body: string;
}

/**
 * The body of an error: `{error, code}`, for a 400 `{error}` alone, or problem+json; `instance` is
 * the request's path, and null where that could not be read.
 */
export const errorBody = (
  shape: ErrorShape,
  { code, message, errors, details }: RouteError,
  instance: string | null,
): ErrorBody => {
  const status = STATUS_OF[code];
  if (shape === 'problem' || shape === 'page or problem') {
    const title = STATUS_CODES[status] ?? null;
    return {
      contentType: 'application/problem+json; charset=utf-8',
      body: JSON.stringify({
        type: `/docs/errors#${code}`,
        title,
        status,
        detail: message,
        instance,
        code,
        ...details,
        ...(errors && { errors }),
      }),
    };
  }
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(code === 'invalid' ? { error: message } : { error: message, code, ...details }),
  };
};
