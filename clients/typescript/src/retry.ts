import type { Method, Reply } from './call.ts';
import { errorBodyOf } from './failure.ts';

const FIRST_WAIT = 250;

/** A request is repeatable with a method that the standard calls idempotent, or with a key. */
export const isRepeatable = (method: Method, headers: Headers): boolean =>
  !['POST', 'PATCH'].includes(method) || headers.has('Idempotency-Key');

/**
 * Decides about a retry. A 429, and a 409 for a request that is still running, did nothing. After a
 * 5xx or a lost connection the work may be done, so only repeatable requests are sent again.
 */
export const isRetried = ({ status, text }: Reply, repeatable: boolean): boolean => {
  if (status === 409) return errorBodyOf(text)['code'] === 'idempotency_in_progress';
  return status === 429 || (repeatable && (status === null || status >= 500));
};

/**
 * Milliseconds before the next attempt: what `Retry-After` says, which is seconds or a date, else a random time below a bound
 * that doubles up to `maxWait`.
 */
export const waitBefore = ({ headers }: Pick<Reply, 'headers'>, attempts: number, maxWait: number): number => {
  const text = headers.get('Retry-After') ?? '';
  const said = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(said) ? Math.random() * Math.min(maxWait, FIRST_WAIT * 2 ** attempts) : Math.max(0, said);
};
