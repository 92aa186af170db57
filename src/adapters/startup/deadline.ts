import { setTimeout as later } from 'node:timers/promises';

interface PauseOptions {
  readonly signal?: AbortSignal;
  /** Then the pause alone keeps no process alive. */
  readonly isIdle?: boolean;
}

/** Resolves after this many milliseconds, or once the signal is aborted. */
export const pause = (ms: number, { signal, isIdle = false }: PauseOptions = {}): Promise<void> =>
  later(ms, undefined, { ref: !isIdle, ...(signal && { signal }) }).catch(() => undefined);

export interface Deadline {
  /** Aborted with a TimeoutError when the time is over, or with the reason of the other signal. */
  readonly signal: AbortSignal;
  /** Lets the timer and the other signal go. The signal does not end any more. */
  release(): void;
}

/**
 * A signal that ends after this many milliseconds, or with the other signal. Its timer holds it:
 * Node 20 collects the timer of an `AbortSignal.timeout` when nothing but an `AbortSignal.any`
 * refers to it, and what waits for it then waits forever.
 */
export const openDeadline = (ms: number, other?: AbortSignal): Deadline => {
  const ending = new AbortController();
  const follow = (): void => {
    release();
    ending.abort(other?.reason);
  };
  const timer = setTimeout(() => {
    release();
    ending.abort(new DOMException(`The time of ${String(ms)} ms is over`, 'TimeoutError'));
  }, ms);
  const release = (): void => {
    clearTimeout(timer);
    other?.removeEventListener('abort', follow);
  };
  if (other?.aborted) follow();
  else other?.addEventListener('abort', follow);
  return { signal: ending.signal, release };
};

/** Does the work with such a signal, and lets the signal go at its end. */
export const withDeadline = async <T>(
  ms: number,
  other: AbortSignal | undefined,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { signal, release } = openDeadline(ms, other);
  try {
    return await work(signal);
  } finally {
    release();
  }
};

/** Returns the value of the promise, or calls `late` when the time is over first. */
export const withTimeout = async <T>(ms: number, promise: Promise<T>, late: () => T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  }).then(late);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
};
