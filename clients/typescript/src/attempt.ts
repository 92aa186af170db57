import type { Reply } from './call.ts';

/** No response: the connection failed, or it took too long. */
export interface NoReply {
  readonly code: 'no_response' | 'timeout';
  readonly cause: unknown;
}

/** A request to send once. */
export interface Attempt {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly init: RequestInit;
  /** Milliseconds for the whole response. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** The reason of an abort by the time limit. */
const LATE = Symbol('late');

/**
 * Sends a request once and reads the whole response. Rejects only when the caller's signal is
 * aborted. The signal is not combined by `AbortSignal.any`, which would keep a listener for each
 * request of a signal that lives long.
 */
export const attempt = async ({ fetch, url, init, timeout, signal }: Attempt): Promise<Reply | NoReply> => {
  signal?.throwIfAborted();
  const own = new AbortController();
  const abort = (): void => own.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(() => own.abort(LATE), timeout);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: own.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    return { code: own.signal.reason === LATE ? 'timeout' : 'no_response', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};
