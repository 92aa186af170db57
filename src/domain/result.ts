/**
 * The refusals that reach a caller. Only adapters/http/serving/reply/refusals.ts knows the status of
 * each.
 */
export type RefusalCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'cursor_expired'
  | 'idempotency_in_progress'
  | 'idempotency_not_replayable'
  | 'idempotency_key_reused'
  | 'payload_too_large'
  | 'precondition_failed'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable';

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

/** `message` is public: a complete sentence that reaches the caller unchanged. */
export interface Refusal<C extends string = RefusalCode> {
  readonly ok: false;
  readonly code: C;
  readonly message: string;
  readonly errors?: FieldErrors;
  readonly details?: Readonly<Record<string, string>>;
}

/** Result of parsers, deciders and use cases. A decider that no caller sees may have codes of its own. */
export type Result<T, C extends string = never> = Ok<T> | Refusal<C>;

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

export const refuse = <C extends string>(code: C, message: string, errors?: FieldErrors): Refusal<C> =>
  errors ? { ok: false, code, message, errors } : { ok: false, code, message };

/** `thing` begins the sentence: `Store`, `Metaobject type`. */
export const notFound = (thing: string): Refusal<'not_found'> => refuse('not_found', `${thing} not found.`);

/** Adds a refusal to a look-up: what does not exist is not found. */
export const orNotFound =
  <A extends readonly unknown[], T>(thing: string, look: (...given: A) => Promise<T | null>) =>
  async (...given: A): Promise<Result<T, 'not_found'>> => {
    const value = await look(...given);
    return value === null ? notFound(thing) : ok(value);
  };
