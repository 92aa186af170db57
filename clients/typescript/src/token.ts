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
  /** The token that was saved last for the store of this address. Null where there is none. */
  load(store: string): Promise<Token | null>;
  /** Keeps the token of the store of this address, such as `https://shop.example`. */
  save(token: Token, store: string): Promise<void>;
}

const isUsable = ({ accessToken, renewAt }: Token, refused: string | null): boolean =>
  renewAt > Date.now() && accessToken !== refused;

/** Gives a token that is not the refused one. Rejects when the exchange fails; the next call tries again. */
export type GetToken = (refused: string | null) => Promise<string>;

/**
 * The access token of all calls. One exchange runs at a time, and every call that needs it waits
 * for the same one.
 */
export const tokenHolder = (
  exchange: () => Promise<Token>,
  { tokens, store }: { readonly tokens?: TokenStore | undefined; readonly store: string },
): GetToken => {
  let current: Promise<Token> | null = null;

  const forget = (token: Promise<Token>): void => {
    if (current === token) current = null;
  };

  const loadOrExchange = async (refused: string | null): Promise<Token> => {
    const kept = await tokens?.load(store);
    if (kept && isUsable(kept, refused)) return kept;
    const token = await exchange();
    await tokens?.save(token, store);
    return token;
  };

  const share = (refused: string | null): Promise<Token> => {
    if (current) return current;
    const renewal = loadOrExchange(refused);
    renewal.catch(() => forget(renewal));
    current = renewal;
    return renewal;
  };

  return async (refused) => {
    const shared = share(refused);
    const token = await shared;
    if (isUsable(token, refused)) return token.accessToken;
    // Another call may have renewed it in the meantime.
    forget(shared);
    return (await share(refused)).accessToken;
  };
};
