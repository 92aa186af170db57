import type { NoReply } from './attempt.ts';
import type { Call, Reply } from './call.ts';
import { errorBodyOf } from './failure.ts';

const FIRST_WAIT = 250;

/** What may be sent twice: a method that the standard calls idempotent, or a request with a key. */
export const isRepeatable = ({ method, headers = {} }: Pick<Call, 'method' | 'headers'>): boolean =>
  !['POST', 'PATCH'].includes(method) || Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');

/**
 * Whether the request is sent again. A 429, and a 409 for a request that is still running, did
 * nothing. After a 5xx or a lost connection the work may be done, so only what may be sent twice is.
 */
export const isRetried = (reply: Reply | NoReply, repeatable: boolean): boolean => {
  if (!('status' in reply)) return repeatable;
  if (reply.status === 429) return true;
  if (reply.status === 409) return errorBodyOf(reply.text)['code'] === 'idempotency_in_progress';
  return reply.status >= 500 && repeatable;
};

/** Milliseconds of `Retry-After`, which is seconds or a date. */
const retryAfter = (headers: Headers): number | null => {
  const text = headers.get('Retry-After');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};

/**
 * Milliseconds before the next attempt: what `Retry-After` says, else a random time below a bound
 * that doubles. Null when the server wants a longer wait than `maxWait`.
 */
export const waitBefore = (reply: Reply | NoReply, attempts: number, maxWait: number): number | null => {
  const said = !('status' in reply) ? null : retryAfter(reply.headers);
  if (said !== null) return said > maxWait ? null : said;
  return Math.random() * Math.min(maxWait, FIRST_WAIT * 2 ** attempts);
};
