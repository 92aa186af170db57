/** What a caller can be refused with. Only adapters/http/refusals.ts knows the status of each. */
export type RefusalCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'idempotency_in_progress'
  | 'idempotency_not_replayable'
  | 'idempotency_key_reused'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable';

/** Faults by the name of the field they stand in, e.g. `fields.color`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

/** `message` is public: it reaches the caller as it stands. */
export interface Refusal<C extends RefusalCode = RefusalCode> {
  readonly ok: false;
  readonly code: C;
  readonly message: string;
  readonly errors?: FieldErrors;
}

export type Result<T, C extends RefusalCode = never> = Ok<T> | Refusal<C>;

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

export const refuse = <C extends RefusalCode>(code: C, message: string, errors?: FieldErrors): Refusal<C> =>
  errors ? { ok: false, code, message, errors } : { ok: false, code, message };
