import { TenonError } from './tenon-error.ts';

/** The longest time of a timer, nearly. A longer one would end at once. */
const LONGEST = 2_000_000_000;

/**
 * Returns the value of the work. Rejects with the reason of the signal once that is aborted, and
 * with the code `timeout` when this many milliseconds are over. `until` is then aborted too; work
 * that ignores it continues unobserved. Does not use `AbortSignal.any`, which would keep a listener
 * for each request of a signal that lives long.
 */
export const within = async <T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (until: AbortSignal) => Promise<T>,
  message: () => string,
): Promise<T> => {
  signal?.throwIfAborted();
  const own = new AbortController();
  const until = own.signal;
  const abort = (): void => own.abort(signal?.reason);
  const late = (): void => own.abort(new TenonError({ code: 'timeout', message: message() }));
  const timer = setTimeout(late, Math.min(ms, LONGEST));
  signal?.addEventListener('abort', abort);
  const ended = new Promise<never>((_resolve, reject) => {
    until.addEventListener('abort', () => reject(until.reason as Error));
  });
  try {
    return await Promise.race([ended, work(until)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};

/** Waits for this many milliseconds, or rejects with the signal's reason. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  within(ms, signal, () => new Promise<never>(() => undefined), String).catch(() => signal?.throwIfAborted());
