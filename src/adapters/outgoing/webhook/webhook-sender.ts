import type { Clock } from '../../../domain/ports/clock.ts';
import type { WebhookRequest, WebhookResponse, WebhookSender } from '../../../domain/ports/webhooks/webhook-sender.ts';
import { createDialler, type DiallerOptions } from '../guard/dialler.ts';
import { Exchange, type Ending } from './exchange.ts';
import { IdleLines } from './idle-lines.ts';
import { Line, type LineOptions } from './line.ts';
import { retryAfterSeconds } from '../guard/retry-after.ts';

/** docs/specification/webhooks.md, "Attempts". */
const CONNECT_SECONDS = 5;
const MAX_IDLE_LINES = 1000;

export interface WebhookSenderOptions extends DiallerOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** For a whole attempt, from the look-up of the name to the end of the body. */
  readonly timeoutSeconds: number;
}

/**
 * The sender on undici. A connection serves one subscription and one attempt at a time, so that a
 * receiver that hangs delays no other.
 */
export const createWebhookSender = (options: WebhookSenderOptions): WebhookSender => {
  const { clock, timeoutSeconds, proxy } = options;
  const lineOptions: LineOptions = {
    dial: createDialler(options),
    connectMilliseconds: Math.min(CONNECT_SECONDS, timeoutSeconds) * 1000,
    milliseconds: timeoutSeconds * 1000,
    connectTimeout: proxy === undefined ? 'connect_timeout' : 'proxy_failed',
  };
  const idle = new IdleLines<Line>(MAX_IDLE_LINES);
  const lines = new Set<Line>();
  /** The signal whose abort is listened for: one listener for all attempts under it. */
  const listening = new WeakSet<AbortSignal>();
  let closed = false;

  const hear = (signal: AbortSignal): void => {
    if (listening.has(signal)) return;
    listening.add(signal);
    signal.addEventListener('abort', () => {
      for (const { exchange } of lines) if (exchange?.signal === signal) exchange.abandon();
    });
  };

  const end = async (line: Line): Promise<void> => {
    idle.remove(line);
    lines.delete(line);
    await line.destroy();
  };
  const open = (request: WebhookRequest): Line => {
    const line = new Line(request, lineOptions);
    lines.add(line);
    // A line in use dials again by itself when its next request needs it.
    line.onClosed(() => void (idle.remove(line) && end(line)));
    return line;
  };
  const lineFor = (request: WebhookRequest): Line => {
    const line = idle.take(request.subscriptionId);
    if (line?.url === request.url) return line;
    // The subscription has a new URL.
    if (line) void end(line);
    return open(request);
  };
  const post = (request: WebhookRequest, signal: AbortSignal, resolve: (response: WebhookResponse | null) => void): void => {
    const started = performance.now();
    hear(signal);
    const line = lineFor(request);
    const exchange = new Exchange(signal, (ending) => {
      const surplus = ending?.reusable ? idle.put(line) : line;
      if (surplus) void end(surplus);
      resolve(ending && responseOf(ending, line.address, performance.now() - started));
    });
    line.post(request, exchange);
  };
  const responseOf = (
    { status, error, body, retryAfter }: Ending,
    address: string | null,
    duration: number,
  ): WebhookResponse => ({
    status,
    error,
    body,
    address,
    retryAfterSeconds: retryAfterSeconds(retryAfter, clock.now()),
    durationMs: Math.round(duration),
  });

  return {
    // Not async: that saves a promise and its microtasks for every attempt.
    send: (request, signal) =>
      new Promise((resolve) => (closed || signal.aborted ? resolve(null) : post(request, signal, resolve))),
    close: async () => {
      closed = true;
      for (const { exchange } of lines) exchange?.abandon();
      await Promise.all([...lines].map(end));
    },
  };
};
