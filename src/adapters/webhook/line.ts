import { Client } from 'undici';

import type { WebhookRequest } from '../../domain/ports/webhook-sender.ts';
import { parseTarget } from '../../domain/webhook-url.ts';
import { AttemptFault } from '../outbound/attempt-fault.ts';
import { connectBy, portOf } from '../outbound/dialler.ts';
import type { Dialler } from '../outbound/dialler.ts';
import type { Exchange } from './exchange.ts';

/** How long a connection is kept for the next delivery; a receiver that says less is believed, and one that says more up to a minute. */
const KEEP_ALIVE_MS = 4000;
const MAX_KEEP_ALIVE_MS = 60_000;

export interface LineOptions {
  readonly dial: Dialler;
  readonly connectMilliseconds: number;
}

/** One connection to a subscription's receiver, for one request at a time; it dials when a request needs it, and again when it was closed since. */
export class Line {
  readonly #client: Client;
  readonly #path: string;
  readonly #given = new AbortController();
  #address: string | null = null;
  #connecting = false;

  constructor(request: WebhookRequest, { dial, connectMilliseconds }: LineOptions) {
    const parsed = parseTarget(request.url);
    // Stored URLs were judged when the subscription was made; one that would be refused today names no address to dial.
    const url = new URL('value' in parsed ? request.url : 'https://invalid');
    this.#path = url.pathname + url.search;
    const open = async () => {
      if (!('value' in parsed)) throw new AttemptFault('address_not_allowed');
      return await dial({
        target: { ...parsed.value, port: portOf(url) },
        signal: this.#given.signal,
        until: performance.now() + connectMilliseconds,
        onAddress: (address) => {
          this.#address = address;
        },
      });
    };
    this.#client = new Client(url.origin, {
      // The attempt has a timer of its own, which a body that drips doesn't put off.
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

  /** The address that was dialled last. */
  get address(): string | null {
    return this.#address;
  }

  get connecting(): boolean {
    return this.#connecting;
  }

  post({ headers, body }: WebhookRequest, exchange: Exchange): void {
    this.#client.dispatch({ method: 'POST', path: this.#path, headers, body }, exchange);
  }

  /** Calls back each time its connection is closed. */
  onClosed(listener: () => void): void {
    this.#client.on('disconnect', listener);
  }

  /** Ends it at once, whatever it does. */
  async destroy(): Promise<void> {
    this.#given.abort();
    await this.#client.destroy();
  }
}
