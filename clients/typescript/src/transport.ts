import { attempt, type NoReply } from './attempt.ts';
import { pathWithQuery, type Call, type Reply, type Result, type Send } from './call.ts';
import { failureOf, unreadable } from './failure.ts';
import { isRepeatable, isRetried, waitBefore } from './retry.ts';
import { requestInfo, responseInfo, type Hooks, type ResponseInfo } from './observed.ts';
import { TokenHolder, type Token, type TokenStore } from './token.ts';
import { wait } from './wait.ts';

/** The options of a client, complete. */
export interface TransportOptions extends Hooks {
  /** The origin of the store, such as `https://shop.example`. */
  readonly store: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: typeof globalThis.fetch;
  readonly maxAttempts: number;
  /** Milliseconds. */
  readonly maxWait: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly userAgent: string;
  readonly tokens: TokenStore | undefined;
  /** Gets each response, after the hook. */
  readonly noteResponse: (response: ResponseInfo) => void;
}

/** A token is renewed when nine tenths of its life are over. */
const RENEWAL = 0.9;

const FORM = 'application/x-www-form-urlencoded';

const isSuccess = (reply: Reply | NoReply): reply is Reply =>
  'status' in reply && ((reply.status >= 200 && reply.status < 300) || reply.status === 304);

const isUnauthorized = (reply: Reply | NoReply): boolean => 'status' in reply && reply.status === 401;

interface Body {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const bodyOf = ({ body }: Call): Body => {
  if (body === undefined) return { headers: {}, body: null };
  if (body instanceof URLSearchParams) return { headers: { 'Content-Type': FORM }, body: body.toString() };
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
};

const bearer = (token: string | null): Readonly<Record<string, string>> =>
  token === null ? {} : { Authorization: `Bearer ${token}` };

/** How the client sends its calls: with one token for all of them, and again where that is safe. */
export const createTransport = (options: TransportOptions): Send => {
  const sendOnce = (call: Call, { headers, body }: Body, token: string | null): Promise<Reply | NoReply> =>
    attempt({
      fetch: options.fetch,
      url: `${options.store}${pathWithQuery(call)}`,
      init: {
        method: call.method,
        body,
        headers: { 'User-Agent': options.userAgent, ...headers, ...call.headers, ...bearer(token) },
      },
      timeout: (call.timeout ?? options.timeout) + (call.patience ?? 0),
      signal: call.signal,
    });

  const observed = async (call: Call, attempts: number, send: () => Promise<Reply | NoReply>) => {
    const request = requestInfo(call, attempts);
    options.onRequest?.(request);
    const start = performance.now();
    const reply = await send();
    const response = responseInfo(request, reply, performance.now() - start);
    options.onResponse?.(response);
    options.noteResponse(response);
    return { reply, response };
  };

  /** Milliseconds before the next attempt. Null where there is none. */
  const pauseAfter = (
    { maxAttempts = options.maxAttempts }: Call,
    reply: Reply | NoReply,
    attempts: number,
    repeatable: boolean,
  ) => (attempts < maxAttempts && isRetried(reply, repeatable) ? waitBefore(reply, attempts, options.maxWait) : null);

  const deliver = async (call: Call, tokens: TokenHolder | null): Promise<Reply> => {
    // Serialised once, so that the bytes of each attempt are the same, as an idempotency key requires.
    const body = bodyOf(call);
    // The exchange of the credentials may be repeated: each gives a token.
    const repeatable = tokens === null || isRepeatable(call);
    let refused: string | null = null;
    for (let attempts = 1; ; attempts += 1) {
      const token: string | null = tokens && (await tokens.get(call.signal, refused));
      const { reply, response } = await observed(call, attempts, () => sendOnce(call, body, token));
      if (isSuccess(reply)) return reply;
      if (isUnauthorized(reply) && refused === null && token !== null) {
        refused = token;
        continue;
      }
      const ms = pauseAfter(call, reply, attempts, repeatable);
      if (ms === null) throw failureOf(`${call.method} ${call.path}`, reply, attempts);
      options.onRetry?.({ ...response, wait: ms });
      await wait(ms, call.signal);
    }
  };

  const valueOf = ({ isLines = false }: Call, text: string): unknown => {
    if (isLines)
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    return text === '' ? null : JSON.parse(text);
  };

  const parsed = <T>(call: Call, { status, headers, text }: Reply): Result<T> => {
    try {
      return { status, headers, body: valueOf(call, text) as T };
    } catch {
      throw unreadable(`${call.method} ${call.path}`, { status, headers, text });
    }
  };

  const exchange = async (): Promise<Token> => {
    const { clientId, clientSecret } = options;
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
    const call: Call = { method: 'POST', path: '/apps/token', body };
    const token = parsed<{ accessToken: string; expiresIn: number }>(call, await deliver(call, null)).body;
    return { accessToken: token.accessToken, renewAt: Date.now() + token.expiresIn * 1_000 * RENEWAL };
  };

  const tokens = new TokenHolder(exchange, options.tokens);
  return async <T>(call: Call) => parsed<T>(call, await deliver(call, tokens));
};
