import { STATUS_CODES } from 'node:http';

import type { FieldErrors, RefusalCode } from '../../../domain/result.ts';
import type { ErrorShape } from '../route.ts';

/** What a request can be answered with that is not a success: a use case's refusal, or one of this adapter's own. */
export type ErrorCode = RefusalCode | 'method_not_allowed' | 'internal_error';

/** The only place that knows the status of a refusal (decisions.md, Order of checks). */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_in_progress: 409,
  idempotency_not_replayable: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

/** Of an address that sends too many wrong admin tokens. */
export const TOO_MANY_FAILURES = 'Too many wrong admin tokens. Retry after the number of seconds in Retry-After.';

export interface ErrorBody {
  readonly contentType: string;
  readonly body: string;
}

/** The body of an error: `{error, code}`, of a 400 `{error}` alone, or problem+json; `instance` is the request's path. */
export const errorBody = (
  shape: ErrorShape,
  code: ErrorCode,
  message: string,
  instance: string,
  errors?: FieldErrors,
): ErrorBody => {
  const status = STATUS_OF[code];
  if (shape === 'problem') {
    const title = STATUS_CODES[status] ?? null;
    return {
      contentType: 'application/problem+json; charset=utf-8',
      body: JSON.stringify({ type: 'about:blank', title, status, detail: message, instance, code, ...(errors && { errors }) }),
    };
  }
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(code === 'invalid' ? { error: message } : { error: message, code }),
  };
};
