import type { Dispatcher } from 'undici';

import type { AttemptError } from '../../../domain/webhooks/delivery.ts';
import { attemptErrorOf } from '../guard/attempt-fault.ts';

/** docs/specification/webhooks.md, "Log": how much of a response's body is read, and how much of it is kept. */
const MAX_READ_BYTES = 16 * 1024;
const MAX_KEPT_BYTES = 4 * 1024;

/** End of a request. `status` is null when no response came. */
export interface Ending {
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly retryAfter: string | null;
  readonly body: string | null;
  readonly reusable: boolean;
}

/**
 * The bytes as text that PostgreSQL can store: it replaces invalid UTF-8 and removes NUL. A
 * character that the cut split is left out.
 */
const bodyOf = (chunks: readonly Buffer[], read: number): string => {
  if (read === 0) return '';
  const kept = Buffer.concat(chunks);
  // A TextDecoder costs more than reading what most receivers answer.
  const text = read > MAX_KEPT_BYTES ? new TextDecoder().decode(kept, { stream: true }) : kept.toString('utf8');
  return text.replaceAll('\0', '');
};

/**
 * A request and its response. The outcome is reported once, and is null for an abandoned request. A
 * response longer than 16 KiB ends there, with its status as the outcome.
 */
export class WebhookExchange implements Dispatcher.DispatchHandler {
  /** The limit under which the request continues. */
  readonly signal: AbortSignal;
  readonly #ended: (ending: Ending | null) => void;
  readonly #kept: Buffer[] = [];
  #read = 0;
  #status: number | null = null;
  #retryAfter: string | null = null;
  #over = false;

  constructor(signal: AbortSignal, ended: (ending: Ending | null) => void) {
    this.signal = signal;
    this.#ended = ended;
  }

  onRequestStart(): void {
    // undici recognises a handler of the current kind by this method.
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    // 1xx: the response itself is still to come.
    if (status < 200) return;
    this.#status = status;
    const header = headers['retry-after'];
    this.#retryAfter = typeof header === 'string' ? header : null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#read < MAX_KEPT_BYTES) this.#kept.push(chunk.subarray(0, MAX_KEPT_BYTES - this.#read));
    this.#read += chunk.length;
    if (this.#read > MAX_READ_BYTES) this.#end(null, false);
  }

  onResponseEnd(): void {
    this.#end(null, true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(attemptErrorOf(error));
  }

  fail(error: AttemptError): void {
    this.#end(error, false);
  }

  abandon(): void {
    if (this.#over) return;
    this.#over = true;
    this.#ended(null);
  }

  #end(error: AttemptError | null, reusable: boolean): void {
    if (this.#over) return;
    this.#over = true;
    const body = this.#status === null ? null : bodyOf(this.#kept, this.#read);
    this.#ended({ status: this.#status, error, retryAfter: this.#retryAfter, body, reusable });
  }
}
