import { API, GUARD } from '../../api/client.ts';
import { ApiError, UNREACHABLE } from '../../api/problem.ts';
import type { Call } from './compose.ts';
import { curlOf } from './curl.ts';
import type { Answer } from './send.ts';

/** The API of the session has the paths of apps without their beginning. */
const pathOf = (path: string): string => API + path.replace(/^\/apps(?=\/)/, '');

/** Sends the call with the session, which counts as the app. Every answer of the server is one, also a refusal. */
export const sendInSession = async (call: Call): Promise<Answer> => {
  const { method, path, headers, body } = call;
  const started = performance.now();
  let response: Response;
  let text: string;
  try {
    response = await fetch(pathOf(path), { method, headers: { ...headers, ...GUARD }, body });
    text = await response.text();
  } catch {
    // The browser does not say why.
    throw new ApiError(UNREACHABLE, 0, null, null);
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text,
    isTruncated: false,
    durationMs: performance.now() - started,
    requestId: response.headers.get('x-request-id'),
    curl: curlOf(call, location.origin),
    call,
  };
};
