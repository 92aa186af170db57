import { urlOf, type Call, type Reply, type Result, type Send } from './call.ts';
import { cutShort, failureOf } from './failure.ts';
import { responseInfo, type Hooks } from './observed.ts';
import { isRepeatable, isRetried, waitBefore } from './retry.ts';
import { tokenHolder, type GetToken, type Token, type TokenStore } from './token.ts';
import { wait, within } from './wait.ts';

/** The options of a client, as the transport reads them. */
export interface TransportOptions extends Hooks {
  /** The origin of the store, such as `https://shop.example`. */
  readonly store: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: typeof globalThis.fetch;
  readonly maxAttempts?: number | undefined;
  readonly maxWait?: number | undefined;
  readonly timeout?: number | undefined;
  readonly userAgent: string;
  readonly tokens?: TokenStore | undefined;
}

/** A token is renewed when nine tenths of its life are over. */
const RENEWAL = 0.9;

const headersOf = (userAgent: string, { headers, body, key, etag, ifMatch }: Call): Headers => {
  const given = {
    'User-Agent': userAgent,
    'Content-Type': body === undefined ? undefined : 'application/json',
    ...headers,
    'Idempotency-Key': key,
    'If-None-Match': etag,
    'If-Match': ifMatch,
  };
  const set = new Headers();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) set.set(name, value);
  return set;
};

const parseJson = (text: string): unknown => JSON.parse(text || 'null');

const HAS_NO_BODY: ReadonlySet<number | null> = new Set([204, 304]);

/** Returns true if the reply says that it is JSON, or begins like it. Another server answers with a page. */
const isJson = ({ headers, text }: Reply): boolean => /json/i.test(headers.get('Content-Type') ?? '') || /^\s*[[{]/.test(text);

/**
 * True for a successful reply, and for a 404 after a retry of DELETE: an earlier attempt, whose
 * answer was lost, deleted the record.
 */
const isDone = ({ method }: Call, { status }: Reply, attempts: number): boolean =>
  status !== null && (status < 300 || status === 304 || (status === 404 && method === 'DELETE' && attempts > 1));

/** Reads the result of a call that is done. Returns null if the reply ended early; throws if it is not what the call reads. */
const resultOf = <T>(call: Call, reply: Reply, attempts: number): Result<T> | null => {
  const { parse = parseJson } = call;
  try {
    if (reply.text !== '' || !isJson(reply) || HAS_NO_BODY.has(reply.status))
      return { status: Number(reply.status), headers: reply.headers, body: parse(reply.text) as T };
  } catch {
    if (!isJson(reply)) throw failureOf(call, reply, attempts);
  }
  return null;
};

/** Returns the result of the reply. If it is null, `failed` is the reply of the failure. */
const judge = <T>(call: Call, reply: Reply, attempts: number): { result: Result<T> | null; failed: Reply } => {
  if (!isDone(call, reply, attempts)) return { result: null, failed: reply };
  return { result: resultOf<T>(call, reply, attempts), failed: cutShort(reply) };
};

/** How the client sends its calls: with one token for all of them, and again where that is safe. */
export const createTransport = (options: TransportOptions): Send => {
  // Called without `this`, which a fetch of some platforms does not allow.
  const { fetch, maxWait = 30_000, timeout: usualTimeout = 30_000, maxAttempts: usualAttempts = 8 } = options;

  /** Sends a request once and reads the whole response. Rejects only when the caller's signal is aborted, or a hook throws. */
  const sendOnce = async (call: Call, init: RequestInit, attempt: number) => {
    const { method, path, signal, timeout = usualTimeout, patience = 0 } = call;
    const request = { method, path, attempt };
    options.onRequest?.(request);
    const start = performance.now();
    const answered = async (until: AbortSignal): Promise<Reply> => {
      const response = await fetch(urlOf(options.store, call), { ...init, signal: until });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const late = (): string => 'The server did not answer in time.';
    const reply = await within(timeout + patience, signal, answered, late).catch((cause: unknown): Reply => {
      signal?.throwIfAborted();
      return { status: null, headers: new Headers(), text: '', cause };
    });
    const response = responseInfo(request, reply, performance.now() - start);
    options.onResponse?.(response);
    return { reply, response };
  };

  /** Milliseconds before the next attempt. Throws where there is none. */
  const pauseAfter = (call: Call, reply: Reply, attempts: number, repeatable: boolean): number => {
    const { maxAttempts = usualAttempts, maxWait: longest = maxWait } = call;
    const ms = waitBefore(reply, attempts, maxWait);
    if (attempts < maxAttempts && ms <= longest && isRetried(reply, repeatable)) return ms;
    throw failureOf(call, reply, attempts);
  };

  /**
   * Milliseconds for which a call waits for a token: as long as its attempts may take together, if it says so itself. The
   * exchange, which has the options of the client, continues for the others.
   */
  const tokenWait = ({ timeout, maxAttempts }: Call): number =>
    (timeout ?? maxAttempts) === undefined ? Infinity : (timeout ?? usualTimeout) * (maxAttempts ?? usualAttempts);

  /** The exchange of the credentials has no token, and may be repeated: each gives a token. */
  const deliver = async <T>(call: Call, getToken?: GetToken): Promise<Result<T>> => {
    const { method, path, signal } = call;
    const headers = headersOf(options.userAgent, call);
    // Serialised once, so that the bytes of each attempt are the same, as an idempotency key requires.
    const body = call.form ?? JSON.stringify(call.body);
    let refused: string | null = null;
    for (let attempts = 1; ; attempts += 1) {
      const late = (): string => `${method} ${path}: no token came in time.`;
      const token = getToken && (await within(tokenWait(call), signal, () => getToken(refused), late));
      if (token) headers.set('Authorization', `Bearer ${token}`);
      const { reply, response } = await sendOnce(call, { method, headers, body, redirect: 'manual' }, attempts);
      const { result, failed } = judge<T>(call, reply, attempts);
      if (result !== null) return result;
      if (reply.status === 401 && token && refused === null) {
        refused = token;
        continue;
      }
      const ms = pauseAfter(call, failed, attempts, !getToken || isRepeatable(method, headers));
      options.onRetry?.({ ...response, wait: ms });
      await wait(ms, signal);
    }
  };

  const exchange = async (): Promise<Token> => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: options.clientId,
      client_secret: options.clientSecret,
    });
    const {
      body: { accessToken, expiresIn },
    } = await deliver<{ accessToken: string; expiresIn: number }>({
      method: 'POST',
      path: '/apps/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      form: form.toString(),
      // Equals the window of the limit, which all stores of a platform app share.
      maxWait: Math.max(maxWait, 120_000),
    });
    return { accessToken, renewAt: Date.now() + expiresIn * 1_000 * RENEWAL };
  };

  const getToken = tokenHolder(exchange, options);
  return (call) => deliver(call, getToken);
};
