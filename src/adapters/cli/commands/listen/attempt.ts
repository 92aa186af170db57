import { request } from 'undici';

import { attemptHeaders, signedContent } from '../../../../domain/webhooks/webhook-message.ts';
import type { FeedEvent } from '../../../http/answers.ts';
import { webhookSigner } from '../../../node/secrets.ts';
import { withDeadline } from '../../../startup/deadline.ts';

export interface Receiver {
  readonly url: string;
  readonly id: string;
  readonly secret: string;
}

export interface Attempt {
  readonly time: string;
  readonly eventId: string;
  readonly type: string;
  readonly attempt: number;
  /** Null when no response came. */
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** A breakpoint in the receiver may hold an answer up for this long. */
const ANSWER_MS = 300_000;
const BODY_MS = 5_000;
const MAX_BODY_BYTES = 16_384;

const ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within 5 minutes',
};

const failureText = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return ERRORS[code] ?? (message || code || 'failed');
};

export const isDelivered = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

/**
 * Sends the event as a delivery of Tenon is sent (docs/webhooks.md). Redirects are not followed. Null
 * when the signal aborted it.
 */
export const sendOnce = async (
  { url, id, secret }: Receiver,
  { traceparent: _traceparent, ...event }: FeedEvent,
  number: number,
  signal: AbortSignal,
): Promise<Attempt | null> => {
  // The bytes of the webhook: both were written by JSON.stringify, and the trace is not in it.
  const body = JSON.stringify(event);
  const startedAt = Date.now();
  const timestamp = Math.floor(startedAt / 1_000);
  const signature = webhookSigner(secret)(signedContent(event.id, timestamp, body));
  const headers = attemptHeaders({ eventId: event.id, timestamp, signature, subscriptionId: id, number });
  const started = performance.now();
  const ended = (status: number | null, error: string | null): Attempt => ({
    time: new Date(startedAt).toISOString(),
    eventId: event.id,
    type: event.type,
    attempt: number,
    status,
    error,
    durationMs: Math.round(performance.now() - started),
  });
  try {
    // A new connection each time: a receiver in development restarts often.
    const response = await request(url, { method: 'POST', headers, body, signal, headersTimeout: ANSWER_MS, reset: true });
    const outcome = ended(response.statusCode, null);
    await withDeadline(BODY_MS, signal, (until) => response.body.dump({ limit: MAX_BODY_BYTES, signal: until })).catch(
      () => undefined,
    );
    return outcome;
  } catch (error) {
    return signal.aborted ? null : ended(null, failureText(error));
  }
};
