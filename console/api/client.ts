import { ApiError, errorOf, NO_ANSWER, UNREACHABLE } from './problem.ts';
import { queryOf, type Query } from './query-string.ts';

/** `merchant`: the console of the admin API. `app`: the portal of one installation. */
export type Audience = 'merchant' | 'app';

export const audience: Audience =
  document.querySelector<HTMLMetaElement>('meta[name="tenon-console"]')?.content === 'app' ? 'app' : 'merchant';

/** True for a developer of one app, who sees what the app sees. */
export const isPortal = audience === 'app';

/** Where the portal begins: for the developer of a platform app, with all of its installations. */
export const PORTAL = '/apps/console';

/** Where the pages of one of these installations are. They are a document of their own, so nothing of another one stays in memory. */
export const portalAt = (domain: string): string => `${PORTAL}/at/${domain}`;

export const BASE = isPortal ? (/^\/apps\/console\/at\/[^/]+/.exec(location.pathname)?.[0] ?? PORTAL) : '/console';
export const API = `${BASE}/api`;

type Listener = () => void;
const signedOut = new Set<Listener>();
/** Calls back when a request shows that the session has ended. Gives what takes the listener away. */
export const onSignedOut = (listener: Listener): Listener => {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
};

/** A request was refused for want of a session. */
export const tellSignedOut = (): void => {
  for (const listener of signedOut) listener();
};

/**
 * Every request of the console carries this header: another page cannot send it
 * (docs/specification/admin-api.md, "Consoles").
 */
export const GUARD = { 'X-Tenon-Console': '1' } as const;

/** Sends a request to any path of this listener. Throws an ApiError for every answer that is not 2xx. */
export const request = async (url: string, init: RequestInit = {}): Promise<Response> => {
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers: { ...GUARD, ...(init.headers as Record<string, string> | undefined) } });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(UNREACHABLE, 0, null, null);
  }
  if (response.ok) return response;
  if (response.status === 401 && url.startsWith(API)) tellSignedOut();
  throw await errorOf(response);
};

const parsed = async <T>(response: Response): Promise<T> => {
  const text = await response.text();
  return (text === '' ? null : JSON.parse(text)) as T;
};

/** The server answers sooner, so the network is to blame. */
const DEADLINE_MS = 60_000;

const answerOf = async <T>(path: string, init: RequestInit): Promise<T> => {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, DEADLINE_MS);
  init.signal?.addEventListener('abort', end);
  try {
    return await parsed<T>(await request(API + path, { ...init, signal: ending.signal }));
  } catch (error) {
    const isLate = ending.signal.aborted && init.signal?.aborted !== true;
    throw isLate ? new ApiError(NO_ANSWER, 0, null, null) : error;
  } finally {
    clearTimeout(timer);
    init.signal?.removeEventListener('abort', end);
  }
};

const sending =
  (method: string) =>
  async <T>(path: string, body: unknown = {}, more: Readonly<Record<string, string>> = {}): Promise<T> => {
    const headers = { 'Content-Type': 'application/json', ...more };
    return answerOf<T>(path, { method, headers, body: JSON.stringify(body) });
  };

/** The API of the audience: paths as its OpenAPI document has them, without `/admin` or `/apps`. */
export const api = {
  get: async <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
    answerOf<T>(path + queryOf(query), signal ? { signal } : {}),
  post: sending('POST'),
  put: sending('PUT'),
  patch: sending('PATCH'),
  delete: sending('DELETE'),
};
