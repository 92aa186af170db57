import { vi } from 'vitest';

import { Tenon, type TenonOptions } from '../../src/index.ts';

/** A request as the client sent it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

/** The server's reaction to a request: a response, or an error of the connection. */
export type Answer = (request: Sent) => Response | Promise<Response>;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { 'X-Request-Id': 'request-1', ...headers } });

export const empty =
  (status: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(null, { status, headers });

/** The connection breaks. */
export const cut: Answer = () => {
  throw new TypeError('fetch failed');
};

const STORE = 'https://shop.example';
export const CREDENTIALS = { store: STORE, clientId: 'tnn_cid_1', clientSecret: 'tnn_cs_1' };

/** A loop without an end would stop the whole run, because no timer fires in it. */
const MAX_SENT = 1_000;
const endless = json(400, { code: 'endless', error: 'The client has sent too many requests.' });

/**
 * A client whose requests a script answers: each request takes the next answer, and the last one
 * stays. Tokens are `t1`, `t2` and further; `tokens` answers their exchanges in place of that.
 */
export const fakeServer = (answers: readonly Answer[], options: Partial<TenonOptions> = {}, tokens: readonly Answer[] = []) => {
  // No pauses, but for those that an answer demands.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const sent: Sent[] = [];
  const exchanges: Sent[] = [];
  const script = [...answers];
  const tokenScript = [...tokens];
  const exchange: Answer = (request) =>
    (tokenScript.shift() ?? json(200, { accessToken: `t${String(exchanges.length)}`, expiresIn: 3_600 }))(request);
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const request: Sent = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : '',
    };
    const isExchange = url.pathname === '/apps/token';
    (isExchange ? exchanges : sent).push(request);
    if (sent.length > MAX_SENT) return endless(request);
    const answer = isExchange ? exchange : script.length > 1 ? script.shift()! : script[0]!;
    return answer(request);
  };
  const tenon = new Tenon({ ...CREDENTIALS, fetch: fetch, ...options });
  return { tenon, sent, exchanges, tokensUsed: () => sent.map(({ headers }) => headers.get('Authorization')) };
};

/** All that an iteration yields. */
export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};
