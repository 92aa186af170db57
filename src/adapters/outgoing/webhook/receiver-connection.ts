import { Client } from 'undici';

import type { AttemptError } from '../../../domain/webhooks/delivery.ts';
import type { WebhookRequest } from '../../../domain/ports/webhooks/webhook-sender.ts';
import { parseTarget } from '../../../domain/webhooks/webhook-url.ts';
import { AttemptFault } from '../guard/attempt-fault.ts';
import { connectBy, portOf, type Dialler } from '../guard/dialler.ts';
import type { WebhookExchange } from './exchange.ts';

/**
 * Time for which a connection is kept for the next delivery. A receiver may ask for less, or for
 * more up to a minute.
 */
const KEEP_ALIVE_MS = 4000;
const MAX_KEEP_ALIVE_MS = 60_000;

export interface ReceiverConnectionOptions {
  readonly dial: Dialler;
  readonly connectMilliseconds: number;
  /** For a whole request, the opening of the connection included. */
  readonly milliseconds: number;
  readonly connectTimeout: AttemptError;
}

/**
 * A connection to a subscription's receiver, for one request at a time. It dials when a request
 * needs it, and again when it was closed since.
 */
export class ReceiverConnection {
  readonly subscriptionId: string;
  readonly url: string;
  readonly #client: Client;
  readonly #path: string;
  readonly #given = new AbortController();
  /**
   * Restarted by each request. When it fires while no request is under way, there is nothing to
   * abort.
   */
  readonly #timer: NodeJS.Timeout;
  #address: string | null = null;
  #connecting = false;
  /** The last request, ended or not. */
  #exchange: WebhookExchange | null = null;

  constructor(
    { subscriptionId, askedBy, url: given }: WebhookRequest,
    { dial, connectMilliseconds, milliseconds, connectTimeout }: ReceiverConnectionOptions,
  ) {
    this.subscriptionId = subscriptionId;
    this.url = given;
    this.#timer = setTimeout(() => this.#exchange?.fail(this.#connecting ? connectTimeout : 'timeout'), milliseconds);
    const parsed = parseTarget(given);
    // Stored URLs were checked when the subscription was created. One that would be refused today
    // has no address to dial.
    const url = new URL(parsed.ok ? given : 'https://invalid');
    this.#path = url.pathname + url.search;
    const open = async () => {
      if (!parsed.ok) throw new AttemptFault('address_not_allowed');
      return await dial({
        target: { ...parsed.value, port: portOf(url) },
        askedBy,
        signal: this.#given.signal,
        until: performance.now() + connectMilliseconds,
        onAddress: (address) => {
          this.#address = address;
        },
      });
    };
    this.#client = new Client(url.origin, {
      // The attempt has a separate timer, which a slow body does not restart.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      connect: connectBy(() => {
        this.#address = null;
        this.#connecting = true;
        return open().finally(() => (this.#connecting = false));
      }),
    });
  }

  get address(): string | null {
    return this.#address;
  }

  get exchange(): WebhookExchange | null {
    return this.#exchange;
  }

  post({ headers, body }: WebhookRequest, exchange: WebhookExchange): void {
    this.#exchange = exchange;
    this.#timer.refresh();
    this.#client.dispatch({ method: 'POST', path: this.#path, headers, body }, exchange);
  }

  onClosed(listener: () => void): void {
    this.#client.on('disconnect', listener);
  }

  /** Ends the connection at once, even in the middle of a request. */
  async destroy(): Promise<void> {
    clearTimeout(this.#timer);
    this.#given.abort();
    await this.#client.destroy();
  }
}
