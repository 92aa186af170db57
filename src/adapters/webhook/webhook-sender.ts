import type { Clock } from '../../domain/ports/clock.ts';
import type { WebhookRequest, WebhookResponse, WebhookSender } from '../../domain/ports/webhook-sender.ts';
import { createDialler } from '../outbound/dialler.ts';
import type { DiallerOptions } from '../outbound/dialler.ts';
import { Exchange } from './exchange.ts';
import type { Ending } from './exchange.ts';
import { IdleLines } from './idle-lines.ts';
import { Line } from './line.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** decisions.md, Webhooks, Attempts. */
const CONNECT_SECONDS = 5;
const MAX_IDLE_LINES = 1000;

export interface WebhookSenderOptions extends DiallerOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Of a whole attempt, from the look-up of the name to the end of the body. */
  readonly timeoutSeconds: number;
}

/** The sender on undici: a connection serves one subscription, and one attempt at a time, so that a receiver that hangs holds up nobody else. */
export const createWebhookSender = (options: WebhookSenderOptions): WebhookSender => {
  const { clock, timeoutSeconds, proxy } = options;
  const timeout = timeoutSeconds * 1000;
  const connectTimeout = proxy === undefined ? 'connect_timeout' : 'proxy_failed';
  const lineOptions = {
    dial: createDialler(options),
    connectMilliseconds: Math.min(CONNECT_SECONDS * 1000, timeout),
  };
  const idle = new IdleLines<Line>(MAX_IDLE_LINES);
  const lines = new Set<Line>();
  const inFlight = new Set<Exchange>();
  /** What each signal abandons: one listener for all, since they come and go with every attempt. */
  const abandoned = new WeakMap<AbortSignal, Set<Exchange>>();
  let closed = false;

  const under = (signal: AbortSignal): Set<Exchange> => {
    const known = abandoned.get(signal);
    if (known) return known;
    const exchanges = new Set<Exchange>();
    abandoned.set(signal, exchanges);
    signal.addEventListener('abort', () => {
      for (const exchange of exchanges) exchange.abandon();
    });
    return exchanges;
  };

  const end = async (line: Line): Promise<void> => {
    idle.remove(line);
    lines.delete(line);
    await line.destroy();
  };
  const open = (request: WebhookRequest): Line => {
    const line = new Line(request, lineOptions);
    lines.add(line);
    // One in use dials again by itself when its next request needs it.
    line.onClosed(() => void (idle.remove(line) && end(line)));
    return line;
  };
  const post = (request: WebhookRequest, signal: AbortSignal, resolve: (response: WebhookResponse | null) => void): void => {
    const started = performance.now();
    const key = `${request.subscriptionId} ${request.url}`;
    const siblings = under(signal);
    const line = idle.take(key) ?? open(request);
    const exchange = new Exchange((ending) => {
      clearTimeout(timer);
      siblings.delete(exchange);
      inFlight.delete(exchange);
      const surplus = ending?.reusable ? idle.put(key, line) : line;
      if (surplus) void end(surplus);
      resolve(ending && responseOf(ending, line.address, performance.now() - started));
    });
    const timer = setTimeout(() => exchange.fail(line.connecting ? connectTimeout : 'timeout'), timeout);
    siblings.add(exchange);
    inFlight.add(exchange);
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
    // Not async: a promise and its turns less for every attempt.
    send: (request, signal) =>
      new Promise((resolve) => (closed || signal.aborted ? resolve(null) : post(request, signal, resolve))),
    close: async () => {
      closed = true;
      for (const exchange of inFlight) exchange.abandon();
      await Promise.all([...lines].map(end));
    },
  };
};
