import type { NoReply } from './attempt.ts';
import type { Reply } from './call.ts';
import { TenonError } from './tenon-error.ts';

type Body = Readonly<Record<string, unknown>>;

/** The JSON object of an error; empty for an error without one, as of a proxy. */
export const errorBodyOf = (text: string): Body => {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : {};
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The answers of Tenon that have no body, or no code in it. */
const CODES: Readonly<Record<number, string>> = { 400: 'invalid', 401: 'unauthenticated', 403: 'forbidden', 404: 'not_found' };

const missingScope = (headers: Headers): string | undefined => /scope="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1];

const messageOf = ({ status, headers }: Reply): string => {
  if (status === 401) return 'The credentials are not accepted: the app may be uninstalled or suspended, or the store inactive.';
  if (status === 403) return `The installation lacks the scope ${missingScope(headers) ?? 'that this needs'}.`;
  if (status >= 300 && status < 400) {
    return `The server redirects to ${headers.get('Location') ?? 'another address'}. Redirects are not followed: set store to the address of the store.`;
  }
  return 'The server gave no reason.';
};

const described = (reply: Reply | NoReply) => {
  if (!('status' in reply)) {
    const message = reply.code === 'timeout' ? 'The server did not answer in time.' : 'The server could not be reached.';
    return { status: null, code: reply.code, requestId: null, message, body: {} };
  }
  const body = errorBodyOf(reply.text);
  return {
    status: reply.status,
    code: textOf(body['code']) ?? CODES[reply.status] ?? `http_${String(reply.status)}`,
    requestId: reply.headers.get('X-Request-Id'),
    message: textOf(body['error']) ?? textOf(body['detail']) ?? messageOf(reply),
    body,
  };
};

/** The error for the last reply to a call. `what` is its method and path. */
export const failureOf = (what: string, reply: Reply | NoReply, attempts: number): TenonError => {
  const { message, ...failure } = described(reply);
  const status = failure.status === null ? '' : ` ${String(failure.status)}`;
  const options = !('status' in reply) ? { cause: reply.cause } : undefined;
  return new TenonError({ ...failure, attempts, message: `${what}:${status} ${message}` }, options);
};

/** The error for a success that is not JSON, as of a proxy or of another server. */
export const unreadable = (what: string, { status, headers }: Reply): TenonError =>
  new TenonError({
    status,
    code: 'unreadable',
    requestId: headers.get('X-Request-Id'),
    attempts: 1,
    body: {},
    message: `${what}: ${String(status)} The response is not JSON. Is store the address of a Tenon store?`,
  });
