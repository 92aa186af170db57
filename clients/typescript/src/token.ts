import { abortable } from './wait.ts';

/** An access token, and when it is renewed, in milliseconds since the epoch. It can be kept as JSON. */
export interface Token {
  readonly accessToken: string;
  readonly renewAt: number;
}

/**
 * Keeps the token for other processes of the app, so that not each of them exchanges the credentials.
 * It is a secret. What a function throws or rejects with ends the call.
 */
export interface TokenStore {
  /** The token that was saved last. Null where there is none. */
  load(): Promise<Token | null>;
  save(token: Token): Promise<void>;
}

const isUsable = ({ accessToken, renewAt }: Token, refused: string | null): boolean =>
  renewAt > Date.now() && accessToken !== refused;

/**
 * The access token of all calls. One exchange runs at a time, and every call that needs it waits
 * for the same one.
 */
export class TokenHolder {
  readonly #exchange: () => Promise<Token>;
  readonly #store: TokenStore | undefined;
  #current: Promise<Token> | null = null;

  constructor(exchange: () => Promise<Token>, store: TokenStore | undefined) {
    this.#exchange = exchange;
    this.#store = store;
  }

  /** A token that is not the refused one. Rejects when the exchange fails; the next call tries again. */
  async get(signal: AbortSignal | undefined, refused: string | null): Promise<string> {
    const current = this.#current ?? this.#renew(refused);
    const token = await abortable(current, signal);
    if (isUsable(token, refused)) return token.accessToken;
    // Another call may have renewed it in the meantime.
    const next = this.#current === current || this.#current === null ? this.#renew(refused) : this.#current;
    return (await abortable(next, signal)).accessToken;
  }

  #renew(refused: string | null): Promise<Token> {
    const renewal = this.#loadOrExchange(refused);
    this.#current = renewal;
    renewal.catch(() => {
      if (this.#current === renewal) this.#current = null;
    });
    return renewal;
  }

  async #loadOrExchange(refused: string | null): Promise<Token> {
    const kept = (await this.#store?.load()) ?? null;
    if (kept !== null && isUsable(kept, refused)) return kept;
    const token = await this.#exchange();
    await this.#store?.save(token);
    return token;
  }
}
