import type { Clock } from '../../../domain/ports/clock.ts';
import type { WebhookRequest, WebhookResponse, WebhookSender } from '../../../domain/ports/webhooks/webhook-sender.ts';
import { createDialler, type DiallerOptions } from '../guard/dialler.ts';
import { retryAfterSeconds } from '../guard/retry-after.ts';
import { WebhookExchange, type Ending } from './exchange.ts';
import { ReceiverConnection, type ReceiverConnectionOptions } from './receiver-connection.ts';

interface Idle {
  readonly subscriptionId: string;
}

export class IdleConnections<Connection extends Idle> {
  readonly #limit: number;
  /**
   * The one that has waited the shortest time is the last. It is taken first, so that unneeded ones
   * close in time.
   */
  readonly #bySubscription = new Map<string, Connection[]>();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Connection>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#waiting.size;
  }

  take(subscriptionId: string): Connection | null {
    const connections = this.#bySubscription.get(subscriptionId);
    const connection = connections?.pop();
    if (!connection) return null;
    if (connections?.length === 0) this.#bySubscription.delete(subscriptionId);
    this.#waiting.delete(connection);
    return connection;
  }

  /** Returns the connection that was removed. Its owner ends it. */
  put(connection: Connection): Connection | null {
    const connections = this.#bySubscription.get(connection.subscriptionId);
    if (connections) connections.push(connection);
    else this.#bySubscription.set(connection.subscriptionId, [connection]);
    this.#waiting.add(connection);
    if (this.#waiting.size <= this.#limit) return null;
    const [oldest = connection] = this.#waiting;
    this.remove(oldest);
    return oldest;
  }

  remove(connection: Connection): boolean {
    if (!this.#waiting.delete(connection)) return false;
    const others = this.#bySubscription.get(connection.subscriptionId)?.filter((other) => other !== connection) ?? [];
    if (others.length === 0) this.#bySubscription.delete(connection.subscriptionId);
    else this.#bySubscription.set(connection.subscriptionId, others);
    return true;
  }
}

/** docs/specification/webhooks.md, "Attempts". */
const CONNECT_SECONDS = 5;
const MAX_IDLE_CONNECTIONS = 1000;

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
  const connectionOptions: ReceiverConnectionOptions = {
    dial: createDialler(options),
    connectMilliseconds: Math.min(CONNECT_SECONDS, timeoutSeconds) * 1000,
    milliseconds: timeoutSeconds * 1000,
    connectTimeout: proxy === undefined ? 'connect_timeout' : 'proxy_failed',
  };
  const idle = new IdleConnections<ReceiverConnection>(MAX_IDLE_CONNECTIONS);
  const connections = new Set<ReceiverConnection>();
  /** The signal whose abort is listened for: one listener for all attempts under it. */
  const listening = new WeakSet<AbortSignal>();
  let closed = false;

  const hear = (signal: AbortSignal): void => {
    if (listening.has(signal)) return;
    listening.add(signal);
    signal.addEventListener('abort', () => {
      for (const { exchange } of connections) if (exchange?.signal === signal) exchange.abandon();
    });
  };

  const end = async (connection: ReceiverConnection): Promise<void> => {
    idle.remove(connection);
    connections.delete(connection);
    await connection.destroy();
  };
  const open = (request: WebhookRequest): ReceiverConnection => {
    const connection = new ReceiverConnection(request, connectionOptions);
    connections.add(connection);
    // A connection in use dials again by itself when its next request needs it.
    connection.onClosed(() => void (idle.remove(connection) && end(connection)));
    return connection;
  };
  const connectionFor = (request: WebhookRequest): ReceiverConnection => {
    const connection = idle.take(request.subscriptionId);
    if (connection?.url === request.url) return connection;
    // The subscription has a new URL.
    if (connection) void end(connection);
    return open(request);
  };
  const post = (request: WebhookRequest, signal: AbortSignal, resolve: (response: WebhookResponse | null) => void): void => {
    const started = performance.now();
    hear(signal);
    const connection = connectionFor(request);
    const exchange = new WebhookExchange(signal, (ending) => {
      const surplus = ending?.reusable ? idle.put(connection) : connection;
      if (surplus) void end(surplus);
      resolve(ending && responseOf(ending, connection.address, performance.now() - started));
    });
    connection.post(request, exchange);
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
      for (const { exchange } of connections) exchange?.abandon();
      await Promise.all([...connections].map(end));
    },
  };
};
