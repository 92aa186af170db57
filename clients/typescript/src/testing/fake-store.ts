import type { TenonOptions } from '../tenon.ts';

/** A request as the client sent it. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON of the body. Null without a body. */
  readonly body: unknown;
}

/** A response, or the JSON of a response with the status 200. */
export type FakeAnswer = Response | object;

/** A store that lives in your test. */
export interface FakeStore {
  /** For `new Tenon(store.options)`. Calls are not repeated, so that a test does not wait. */
  readonly options: TenonOptions;
  /** Requests so far, except for the exchange of the credentials. */
  readonly requests: readonly FakeRequest[];
}

type Answering = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

const isFunction = (answer: FakeAnswer | Answering): answer is Answering => typeof answer === 'function';

const TOKEN = { accessToken: 'fake', expiresIn: 3_600 };

const matches = (pattern: string, request: FakeRequest): boolean => {
  const text = pattern.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${text}$`).test(`${request.method} ${request.path}`);
};

const responseOf = (answer: FakeAnswer): Response => (answer instanceof Response ? answer.clone() : Response.json(answer));

const jsonOf = (body: unknown): unknown => (typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : null);

/**
 * A store that answers as you say, by method and path as in the documents. What it does not know is 404.
 *
 * @example
 * const store = fakeStore({
 *   'GET /apps/catalog/products/{id}': ({ path }) => ({ id: path.split('/').at(-1), name: 'Dovetail saw' }),
 *   'POST /apps/catalog/products/bulk': new Response(null, { status: 403 }),
 * });
 * const tenon = new Tenon(store.options);
 */
export const fakeStore = (answers: Readonly<Record<string, FakeAnswer | Answering>>): FakeStore => {
  const requests: FakeRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    if (pathname === '/apps/token') return Response.json(TOKEN);
    const { method = 'GET', headers, body } = init;
    const request = { method, path: pathname, query: searchParams, headers: new Headers(headers), body: jsonOf(body) };
    requests.push(request);
    const [, answer] = Object.entries(answers).find(([pattern]) => matches(pattern, request)) ?? [];
    if (answer === undefined)
      return Response.json(
        { error: `The fake store has no answer to ${method} ${pathname}.`, code: 'not_found' },
        { status: 404 },
      );
    return responseOf(isFunction(answer) ? await answer(request) : answer);
  };
  const options = { store: 'https://shop.example', clientId: 'fake', clientSecret: 'fake', fetch, maxAttempts: 1 };
  return { options, requests };
};
