import { abortable } from './wait.ts';

/** An access token, and when it is renewed, in milliseconds since the epoch. */
export interface Token {
  readonly value: string;
  readonly renewAt: number;
}

/**
 * The access token of all calls. One exchange runs at a time, and every call that needs it waits
 * for the same one.
 */
export class TokenHolder {
  readonly #exchange: () => Promise<Token>;
  #current: Promise<Token> | null = null;

  constructor(exchange: () => Promise<Token>) {
    this.#exchange = exchange;
  }

  /** A token that is not the refused one. Rejects when the exchange fails; the next call tries again. */
  async get(signal: AbortSignal | undefined, refused: string | null): Promise<string> {
    const current = this.#current ?? this.#renew();
    const token = await abortable(current, signal);
    if (token.renewAt > Date.now() && token.value !== refused) return token.value;
    // Another call may have renewed it in the meantime.
    const next = this.#current === current || this.#current === null ? this.#renew() : this.#current;
    return (await abortable(next, signal)).value;
  }

  #renew(): Promise<Token> {
    const renewal = this.#exchange();
    this.#current = renewal;
    renewal.catch(() => {
      if (this.#current === renewal) this.#current = null;
    });
    return renewal;
  }
}
